// Package ratings holds tables of ratings: user, item, value, time. A rating takes eight bytes
// beside the names and the time.
//
// A [Builder] takes ratings in any order, by the ids of users and items as the
// data have them, and makes a [Set]. Sets are canonical: ids are sorted, rows are
// sorted by item, so the same ratings make the same set, and with a seed the
// same split, whatever file they came from and in whatever order.
//
// [Scale] turns any scale of ratings into levels, [Set.DropAgreed] is the paper's
// entropy filter, [Order] the tier list of one user. A [Split] divides a set into
// what a model may be fitted on, a [Training], and what it is judged by, a
// [Holdout]; the two are different types, so that a model that asks for the one
// cannot be handed the other.
package ratings
