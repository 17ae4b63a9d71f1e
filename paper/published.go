package paper

// What the paper prints: row, then column.

// publishedTable1 has the mean log likelihoods for M = 10, 20, 30.
var publishedTable1 = map[string]map[int]float64{
	"Plackett-Luce.MF": {10: -14.7, 20: -41.3, 30: -72.6},
	"Latent OSM":       {10: -9.8, 20: -37.9, 30: -73.4},
}

// publishedTable2 has ERR and NDCG@5 on MovieLens 10M for each N.
var publishedTable2 = map[string]map[int]map[string]float64{
	pmfLabel:           {10: {"err": 0.673, "ndcg@5": 0.603}, 20: {"err": 0.687, "ndcg@5": 0.612}, 50: {"err": 0.717, "ndcg@5": 0.638}},
	"pLPA":             {10: {"err": 0.674, "ndcg@5": 0.596}, 20: {"err": 0.684, "ndcg@5": 0.601}, 50: {"err": 0.683, "ndcg@5": 0.595}},
	"ListRank.MF":      {10: {"err": 0.683, "ndcg@5": 0.603}, 20: {"err": 0.682, "ndcg@5": 0.601}, 50: {"err": 0.684, "ndcg@5": 0.595}},
	"Plackett-Luce.MF": {10: {"err": 0.663, "ndcg@5": 0.586}, 20: {"err": 0.677, "ndcg@5": 0.591}, 50: {"err": 0.681, "ndcg@5": 0.586}},
	"CoFiRank.Regress": {10: {"err": 0.675, "ndcg@5": 0.597}, 20: {"err": 0.681, "ndcg@5": 0.598}, 50: {"err": 0.667, "ndcg@5": 0.572}},
	"CoFiRank.Ordinal": {10: {"err": 0.623, "ndcg@5": 0.530}, 20: {"err": 0.621, "ndcg@5": 0.522}, 50: {"err": 0.622, "ndcg@5": 0.515}},
	"CoFiRank.N@10":    {10: {"err": 0.615, "ndcg@5": 0.522}, 20: {"err": 0.623, "ndcg@5": 0.517}, 50: {"err": 0.602, "ndcg@5": 0.491}},
	paperLabel:         {10: {"err": 0.690, "ndcg@5": 0.619}, 20: {"err": 0.708, "ndcg@5": 0.632}, 50: {"err": 0.710, "ndcg@5": 0.629}},
}

// publishedTable3 has ERR and NDCG@1, 5, 10 on Netflix for each N.
var publishedTable3 = map[string]map[int]map[string]float64{
	pmfLabel: {
		10: {"err": 0.678, "ndcg@1": 0.586, "ndcg@5": 0.607, "ndcg@10": 0.649},
		20: {"err": 0.691, "ndcg@1": 0.601, "ndcg@5": 0.624, "ndcg@10": 0.661},
	},
	"ListRank.MF": {
		10: {"err": 0.656, "ndcg@1": 0.553, "ndcg@5": 0.579, "ndcg@10": 0.623},
		20: {"err": 0.658, "ndcg@1": 0.553, "ndcg@5": 0.577, "ndcg@10": 0.617},
	},
	paperLabel: {
		10: {"err": 0.694, "ndcg@1": 0.611, "ndcg@5": 0.628, "ndcg@10": 0.666},
		20: {"err": 0.714, "ndcg@1": 0.638, "ndcg@5": 0.648, "ndcg@10": 0.680},
	},
}

// published is a figure of the paper; nil where it has none.
func published(table map[string]map[int]map[string]float64, row string, given int, metric string) *float64 {
	v, there := table[row][given][metric]
	if !there {
		return nil
	}
	return &v
}
