// Package leaderboard turns a fit to votes into a board: worths with intervals, ranks and tiers, tie weights, reliabilities of
// raters, how well the model fits the votes, and which items the votes alone do not put on one scale. A board can be printed,
// kept in a file and served; package use/board has its form.
package leaderboard
