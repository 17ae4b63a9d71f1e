// Package leaderboard turns a fit to votes into a board: worths with intervals, ranks and tiers, tie weights, reliabilities of
// raters, how well the model fits the votes, and which items the votes alone do not put on one scale. A board can be printed,
// kept in a file and served; package use/board has its form.
//
// A [Request] takes all steps from votes to a board: the parameters that the votes have, the maximum of their likelihood, standard
// errors, goodness of fit, influential votes. The command fubini fit and the library's Fit are made of it.
package leaderboard
