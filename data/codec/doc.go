// Package codec is what all file formats share: what a format is, the ratings it yields one by one, the report of what was
// read, and the names that columns go by. A format is a [Codec]; package format has the list of them.
package codec
