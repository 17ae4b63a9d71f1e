// Package rival holds the models that the Ordered Set Model is compared with,
// one file each: fit on a set of ratings, then score items for a user.
package rival
