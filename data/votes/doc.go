// Package votes reads votes, rankings and tier lists into one flat table: ordered partitions of items with weights.
//
// [Read] and [ReadStream] recognise the form by the header or the content:
//
//	form      written as                                                          a vote is
//	preflib   soc, soi, toc, toi, cat                                             an order, its count the weight
//	pairs     columns model_a, model_b, winner; or winner, loser and maybe draw   a row
//	results   columns home, away, home_score, away_score                          a match; the higher score wins
//	tiers     {"tiers":[["a","b"],["c"]]}, best tier first, one a line            a list
//	ratings   user, item, rating, in any format of package format                 all ratings of a user, the highest best
//	ranks     one column an item, cells 1 (best), 2, ...; empty: not ranked       a row
//
// Pairs and results are CSV, TSV or JSON lines, ranks are CSV or TSV; columns also go by other names: a and b, left and right, item_1 and
// item_2; result, outcome; home_team, FTHG. A winner is the name of one of the two, or model_a, a, left, 1, and so on, or
// tie, draw, no difference, or "tie (bothbad)". Weights stand in a column weight, votes or count.
//
// Errors name the file, the line and the remedy. [Counts] has what was dropped, and why.
package votes
