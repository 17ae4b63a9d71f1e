package interest

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
)

// Model is a fitted model of picks. Several goroutines may use it at once.
type Model struct {
	Average   []float64 // score of each item for an empty list: the share of lists that it is in
	Low, High float64   // range of the ratings; the same where there were none
	Lowest    float64   // weight of a placement with the lowest rating; see [Weight]

	Near Weights // B

	Units int       // rank of the low-rank part
	In    []float64 // Q [item*Units+k]
	Gain  []float64 // of each item: R_j = Gain_j Q_j
	Eigen []float64 // of each unit: its eigenvalue, as a share of the largest
	Noise float64   // variance of one placement, on the scale of Eigen
	// Weight of the low-rank part in a list of n items, beside 1 for Near: Smooth (20/n)^Short up to 20 items, Smooth (20/n)^Long beyond.
	Smooth, Short, Long float64
	Factor              []float64 // of each item, which multiplies its score: a power of its popularity

	spread []float64 // see Prepare

	Next *Next // nil for a fit to lists without times

	Calibration Calibration
	Taste       float64 // strength of taste in the score to recommend by
	Lift        *Lift   // nil where it was not measured
}

// Lift is by how much more of the hidden items of people's lists the model puts at the top than popularity does: the mean over
// people of the difference in NDCG@20, without grades, among the model's candidates, and its standard error.
type Lift struct{ Mean, StdErr float64 }

// Informative reports whether the lists of the fit show more than what is popular. They do not where the items of a list
// were drawn by lot, or where everybody lists all items: then presence says nothing of a person. A model whose lift was
// not measured counts as informative.
func (m *Model) Informative() bool {
	const rounding = 1e-9 // of sums that are 0
	return m.Lift == nil || m.Lift.Mean > m.Lift.StdErr+rounding
}

// Typical is the length of the list in which the low-rank part has the weight Smooth.
const Typical = 20

// Weights is a sparse matrix, row by row: the row of an item has what its presence adds to the scores of other items.
type Weights struct {
	Start  []int64 // row i is Start[i] to Start[i+1]
	Target []uint32
	Value  []float32
}

// Items is the number of items of the catalogue.
func (m *Model) Items() int { return len(m.Average) }

// highest is the weight of a placement with the highest rating, and lowestBefore that of one with the lowest in files that do not have it.
const highest, lowestBefore = 1.25, .25

// Weight is the weight of a placement with a rating: a line from a weight for the lowest to 5/4 for the highest, and 1 for a pick
// without ratings.
func Weight(rating, low, high, lowest float64) float64 {
	if !(high > low) {
		return 1
	}
	return lowest + float64((highest-lowest)*((rating-low)/(high-low)))
}

// weight is the weight of a placement of a list.
func (m *Model) weight(list ratings.Row, k int) float64 {
	return Weight(float64(list.Values[k]), m.Low, m.High, m.Lowest)
}

// weightSmooth is the weight of the low-rank part in a list of n items, beside 1 for the other.
func (m *Model) weightSmooth(n int) float64 {
	return SmoothWeight(n, m.Smooth, m.Short, m.Long)
}

// SmoothWeight is the weight of the low-rank part in a list of n items by its weight in one of [Typical] items, and minus its slopes in the log of the length up to that and beyond.
func SmoothWeight(n int, smooth, short, long float64) float64 {
	power := short
	if n > Typical {
		power = long
	}
	return smooth * math.Pow(Typical/float64(max(1, n)), power)
}

// filter writes the factor of each unit for a list of n items: the share of the unit that is signal and not noise in n
// placements, e / (e + noise / n).
func (m *Model) filter(n int, f []float64) []float64 {
	f = resize(f, m.Units)
	for k, e := range m.Eigen {
		if f[k] = 0; e > 0 {
			f[k] = e / (e + m.Noise/float64(max(1, n)))
		}
	}
	return f
}

// embed returns the sum of the rows of Q of a list, each times its weight, and unit by unit times the filter, in the memory of the last one, and the weights in
// that of the room.
func (m *Model) embed(list ratings.Row, filter, sum, room []float64) (embedding, weights []float64) {
	sum = resize(sum, m.Units)
	clear(sum)
	room = resize(room, list.Len())
	for k := range room {
		room[k] = m.weight(list, k)
	}
	vec.AddRowsAt(sum, m.In, list.Items, room)
	for k, f := range filter {
		sum[k] *= f
	}
	return sum, room
}

// resize returns a slice of length n, the same memory if that is enough.
func resize(s []float64, n int) []float64 { return slices.Grow(s[:0], n)[:n] }

// factors is the row of Q of an item.
func (m *Model) factors(i uint32) []float64 { return m.In[int(i)*m.Units : (int(i)+1)*m.Units] }

// check returns an error for an item that the model does not have.
func (m *Model) check(list ratings.Row) error {
	for _, i := range list.Items {
		if int(i) >= m.Items() {
			return fmt.Errorf("interest: item %d is outside the catalogue of %d", i, m.Items())
		}
	}
	return nil
}

// Parts writes into near and smooth the two parts of the scores of every item for a list of different items, in which no
// item predicts itself.
func (m *Model) Parts(list ratings.Row, near, smooth []float64) error {
	if err := m.check(list); err != nil {
		return err
	}
	filter := m.filter(list.Len(), nil)
	m.addNear(list, near)
	embedding, _ := m.embed(list, filter, nil, nil)
	m.addSmooth(list, filter, embedding, smooth)
	return nil
}

// addNear writes the near part of the scores of every item.
func (m *Model) addNear(list ratings.Row, near []float64) {
	clear(near)
	for k, i := range list.Items {
		targets, values := m.Near.row(i)
		next := m.Near.Start[list.Items[min(k+1, list.Len()-1)]]
		vec.AddAt(near, targets, values, m.weight(list, k), int(next-m.Near.Start[i]))
	}
}

// addSmooth writes the low-rank part of the scores of every item.
func (m *Model) addSmooth(list ratings.Row, filter, embedding, smooth []float64) {
	vec.DotRows(smooth, embedding, m.In)
	for j, gain := range m.Gain {
		smooth[j] *= gain
	}
	for k, i := range list.Items {
		smooth[i] -= float64(m.smooth(i, i, filter) * m.weight(list, k))
	}
}

// Ratio is the length of near over that of smooth, as vectors of the items that are not in a list; 1 where one is 0.
func Ratio(list ratings.Row, near, smooth []float64) float64 {
	listed := list.Items
	if !slices.IsSorted(listed) {
		listed = slices.Sorted(slices.Values(listed))
	}
	var a, b float64 // squares of the lengths
	from := uint32(0)
	for k := range len(listed) + 1 { // the items between one listed item and the next
		to := uint32(len(near))
		if k < len(listed) {
			to = listed[k]
		}
		other := smooth[from:to]
		for i, s := range near[from:to] {
			a += float64(s * s)
			b += float64(other[i] * other[i])
		}
		from = to + 1
	}
	if a > 0 && b > 0 {
		return math.Sqrt(a / b)
	}
	return 1
}

// Score writes the score of every item of the catalogue for a list of different items; a higher score is a likelier
// pick. That of a listed item is the one given the others. An empty list gives the scores of an average person.
func (m *Model) Score(list ratings.Row, scores []float64) error {
	var f Folded
	if err := m.Fold(list, &f); err != nil {
		return err
	}
	m.write(list, &f, scores)
	return nil
}

// write writes the scores of all items for a list that is folded in.
func (m *Model) write(list ratings.Row, f *Folded, scores []float64) {
	if list.Len() == 0 {
		copy(scores, m.Average)
		return
	}
	m.addSmooth(list, f.filter, f.Embedding, scores)
	for j := range scores {
		scores[j] = f.combine(m, j, scores[j])
	}
}

// Combine writes into near the scores of which near and smooth are the parts.
func (m *Model) Combine(list ratings.Row, near, smooth []float64) {
	first, second := m.Shares(list.Len(), Ratio(list, near, smooth))
	for j, factor := range m.Factor {
		near[j] = factor * (float64(first*near[j]) + float64(second*smooth[j]))
	}
}

// Shares returns what the two parts of the scores are multiplied by before they are added: 1 / (1 + c) and
// c r / (1 + c), where c is the weight of the low-rank part and r makes it as long a vector as the other, over the items
// that are not in the list. A list that was in the fit has smaller scores than a new one, by a factor that is the list's
// own; the ratio r follows it.
func (m *Model) Shares(n int, ratio float64) (first, second float64) {
	c := m.weightSmooth(n)
	return 1 / (1 + c), c / (1 + c) * ratio
}

// Probability returns the probability that an item with this score for a list of n others is in the whole list of the person; ok is false where the
// model has no calibration. The score for an empty list is the share of lists with the item, and so its probability.
func (m *Model) Probability(score float64, n int) (p float64, ok bool) {
	if n == 0 {
		return score, true
	}
	return m.Calibration.at(score, n)
}

// smooth is the low-rank part of the weight of item i for item j.
func (m *Model) smooth(i, j uint32, filter []float64) (sum float64) {
	q, r := m.factors(i), m.factors(j)
	for k, f := range filter {
		sum += q[k] * f * r[k]
	}
	return sum * m.Gain[j]
}

// Explain writes what each listed item adds to the score of an item, and returns the rest of the score: 0, but for an
// empty list.
func (m *Model) Explain(list ratings.Row, item uint32, parts []float64) (base float64, err error) {
	if err := m.check(ratings.Row{Items: []uint32{item}}); err != nil {
		return 0, err
	}
	if list.Len() == 0 {
		return m.Average[item], nil
	}
	var f Folded
	if err := m.Fold(list, &f); err != nil {
		return 0, err
	}
	for k, i := range list.Items {
		parts[k] = 0
		if i != item {
			parts[k] = m.Factor[item] * m.weight(list, k) * (f.First*m.Near.At(i, item) + f.Second*m.smooth(i, item, f.filter))
		}
	}
	return 0, nil
}

// row returns the targets and values of a row.
func (w *Weights) row(i uint32) ([]uint32, []float32) {
	from, to := w.Start[i], w.Start[i+1]
	return w.Target[from:to], w.Value[from:to]
}

// At returns one element, 0 where none is stored.
func (w *Weights) At(i, j uint32) float64 {
	targets, values := w.row(i)
	for k, target := range targets {
		if target == j {
			return float64(values[k])
		}
	}
	return 0
}

// least is the score below which [Log] is a line.
const least = 1e-3

// Balanced is the score to recommend by, of a score of interest and one of taste: Log(interest) + Taste times the taste.
// It is the log of an expected gain, the chance of a pick times the gain of the place that the item would get, where
// the gain grows exponentially with the score of taste.
func (m *Model) Balanced(interest, taste float64) float64 {
	return Log(interest) + float64(m.Taste*taste)
}

// Log is the logarithm of a score, continued by its tangent below 0.001: scores need not be positive.
func Log(score float64) float64 {
	if score < least {
		return math.Log(least) + (score-least)/least
	}
	return math.Log(score)
}
