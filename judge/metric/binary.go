package metric

// Relevant is the number of relevant items in the whole list, R in the formulas below.
func (r *Ranking) Relevant(at AtLeast) int { return count(r.items, at) }

func count(items []item, at AtLeast) (relevant int) {
	for _, it := range items {
		if at.relevant(it.level) {
			relevant++
		}
	}
	return relevant
}

// Hits is the number of relevant items among the first top places. Each place in a tie holds the tie's share of
// relevant items.
func (r *Ranking) Hits(top int, at AtLeast) (hits float64) {
	last := r.cut(top)
	for start, end := range r.ties(last) {
		relevant := count(r.items[start:end], at)
		hits += float64(relevant*(min(end, last)-start)) / float64(end-start)
	}
	return hits
}

// Precision is the share of relevant items among the first top places, Hits/top. A list shorter than top is divided
// by top all the same, as in trec_eval and ranx. Top 0 stands for the length of the list.
func (r *Ranking) Precision(top int, at AtLeast) float64 {
	hits := r.Hits(top, at)
	if top == 0 {
		top = max(1, len(r.items))
	}
	return hits / float64(top)
}

// Recall is the share of all relevant items that stand among the first top places, Hits/R.
func (r *Ranking) Recall(top int, at AtLeast) float64 {
	return r.Hits(top, at) / float64(max(1, r.Relevant(at)))
}

// AveragePrecision is the mean, over all relevant items, of the precision at their
// places; one that stands below the first top places counts 0. Its mean over many
// lists is called MAP.
//
//	AP = 1/R · Σ_i [item i is relevant] · (relevant among the first i) / i,  i = 1 … top
//
// R counts the whole list, as in trec_eval and ranx; some tools divide by min(R, top).
func (r *Ranking) AveragePrecision(top int, at AtLeast) (total float64) {
	last := r.cut(top)
	above := 0 // relevant items above this tie
	for start, end := range r.ties(last) {
		relevant := count(r.items[start:end], at)
		if relevant > 0 {
			// A place in the tie is relevant with probability relevant/m, and then each of the
			// m−1 other items is at one of the k places before it with probability k/(m−1).
			m := end - start
			share := float64(relevant) / float64(m)
			others := float64(relevant-1) / float64(max(1, m-1))
			for k := range min(end, last) - start {
				total += share * (float64(above+1) + float64(k)*others) / float64(start+k+1)
			}
		}
		above += relevant
	}
	return total / float64(max(1, r.Relevant(at)))
}

// ReciprocalRank is 1/i with i the place of the first relevant item, or 0 if it
// is not among the first top. Its mean over many lists is called MRR.
func (r *Ranking) ReciprocalRank(top int, at AtLeast) (total float64) {
	last := r.cut(top)
	for start, end := range r.ties(last) {
		relevant := count(r.items[start:end], at)
		if relevant == 0 {
			continue
		}
		none := 1.0 // the probability of no relevant item so far
		for k := range min(end, last) - start {
			left := end - start - k
			total += none * float64(relevant) / float64(left*(start+k+1))
			none *= float64(left-relevant) / float64(left)
		}
		break
	}
	return total
}

// AUC is the area under the ROC curve: the share of pairs of a relevant and
// another item in which the relevant one has the higher score. A pair with equal scores counts one half.
func (r *Ranking) AUC(at AtLeast) float64 {
	var halves, above, below int // halves: twice the pairs in the right order; above, below: relevant and others so far
	for start, end := range r.ties(len(r.items)) {
		relevant := count(r.items[start:end], at)
		others := end - start - relevant
		halves += others * (2*above + relevant)
		above += relevant
		below += others
	}
	if above == 0 || below == 0 {
		return 0.5
	}
	return float64(halves) / 2 / float64(above*below)
}
