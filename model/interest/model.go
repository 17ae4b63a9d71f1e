package interest

import "fmt"

// Model is a fitted model of picks. Several goroutines may use it at once.
type Model struct {
	Base        []float64 // score of each item for an empty list
	Long, Short Weights   // for long and for short lists
	Half        float64   // length of the list for which both count the same
	Calibration Calibration
}

// Weights is a sparse matrix, row by row: the row of an item has what its presence adds to the scores of other items.
type Weights struct {
	Start  []int64 // row i is Start[i] to Start[i+1]
	Target []uint32
	Value  []float32
}

// row returns the targets and values of a row.
func (w *Weights) row(i uint32) ([]uint32, []float32) {
	from, to := w.Start[i], w.Start[i+1]
	return w.Target[from:to], w.Value[from:to]
}

// at returns one element, 0 where none is stored.
func (w *Weights) at(i, j uint32) float64 {
	targets, values := w.row(i)
	for k, target := range targets {
		if target == j {
			return float64(values[k])
		}
	}
	return 0
}

// Items is the number of items of the catalogue.
func (m *Model) Items() int { return len(m.Base) }

// Shares are the factors of the weights for long and for short lists, for a list of n items.
func (m *Model) Shares(n int) (long, short float64) {
	long = float64(n) / (float64(n) + m.Half)
	return long, 1 - long
}

// check returns an error for an item that the model does not have.
func (m *Model) check(list []uint32) error {
	for _, i := range list {
		if int(i) >= m.Items() {
			return fmt.Errorf("interest: item %d is outside the catalogue of %d", i, m.Items())
		}
	}
	return nil
}

// Score writes the score of every item of the catalogue for a list of different items; a higher score is a likelier
// pick. An empty list gives the scores of an average person.
func (m *Model) Score(list []uint32, scores []float64) error {
	if err := m.check(list); err != nil {
		return err
	}
	copy(scores, m.Base)
	if len(list) == 0 {
		return nil
	}
	long, short := m.Shares(len(list))
	for _, i := range list {
		m.Long.add(i, long, scores)
		m.Short.add(i, short, scores)
	}
	return nil
}

// add adds a row, times a factor, to the scores of all items.
func (w *Weights) add(i uint32, factor float64, scores []float64) {
	targets, values := w.row(i)
	for k, j := range targets {
		scores[j] += float64(factor * float64(values[k])) // rounded before it is added: the same bits on every processor
	}
}

// Explain writes what each listed item adds to the score of an item, and returns the base: together they are the score.
func (m *Model) Explain(list []uint32, item uint32, parts []float64) (base float64, err error) {
	if err := m.check(append([]uint32{item}, list...)); err != nil {
		return 0, err
	}
	long, short := m.Shares(len(list))
	for k, i := range list {
		parts[k] = float64(long*m.Long.at(i, item)) + float64(short*m.Short.at(i, item))
	}
	return m.Base[item], nil
}
