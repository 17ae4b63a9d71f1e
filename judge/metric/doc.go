// Package metric measures a predicted ranking against judged levels of
// the same items. It is independent of users, items and models: plain slices in,
// numbers out. [Rank] sorts once; every metric is then a method of [Ranking].
//
// # Ties
//
// Items with equal scores are tied, and no order is made up for them. Where a
// metric reads a list from top to bottom, its value is the exact expectation
// over all orders of tied items, each equally likely, computed in polynomial
// time: [Ranking.DCG], [Ranking.NDCG], [Ranking.ERR], [Ranking.Hits],
// [Ranking.Precision], [Ranking.Recall], [Ranking.AveragePrecision] and
// [Ranking.ReciprocalRank]. The same holds of [Ranking.AUC] and
// [Ranking.PairAccuracy], where a tied pair counts one half, and not of
// [Ranking.KendallTauB]. No value depends on the order of the input, not even in its last
// bit. McSherry and Najork, "Computing information retrieval performance
// measures efficiently in the presence of tied scores" (ECIR 2008), argue for
// the expectation and give the closed forms of all but ERR, which is derived in docs/maths.md#metrics.
//
// # Top
//
// Metrics with a top look at the first top places; 0 means all of them, and a
// negative top panics. A list shorter than top ends early. Only [Ranking.Precision]
// still divides by top, as if the list went on with items that are not relevant.
//
// # Nothing to find
//
// No metric is ever NaN. A list with nothing to find, or no items, gives 0 where
// the metric looks for something: NDCG, ERR, Precision, Recall, AveragePrecision,
// ReciprocalRank. trec_eval and ranx do the same. A list without a pair to compare
// gives the value of a random order: 1/2 for AUC and PairAccuracy, 0 for KendallTauB. To leave such lists
// out of an average, see [Ranking.Relevant] and [Ranking.IdealDCG].
//
// # Other tools
//
// With no ties in the scores, all these agree with trec_eval and ranx, and so with
// ir-measures, which runs them: precision, recall, average precision, reciprocal
// rank, and NDCG with [Linear] gains; ranx calls NDCG with [Exp2] gains ndcg_burges.
// gdeval's ERR is ours with [Graded](0, 4), printed to five digits.
// scikit-learn's ndcg_score averages over ties as we do, and takes gains in the
// place of levels. LensKit discounts by max(1, log₂ i), so that places 1 and 2 weigh the same;
// its NDCG is not offered here. The numbers that our tests compare with were
// made by peers/metrics.py.
package metric
