package fitting

import (
	"fubini/data/modelfile"
	"fubini/model"
)

// Scores is a model with one score for each item, the same for everybody.
type Scores struct {
	Tensor string // name of the scores in a file
	Of     []float64
}

// Score implements [model.Model].
func (s *Scores) Score(_ model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = s.Of[i]
	}
}

// Save implements [model.Model].
func (s *Scores) Save(f *modelfile.File) error {
	modelfile.Set(f, s.Tensor, s.Of, len(s.Of))
	return nil
}

// LoadScores reads what Save wrote under a name.
func LoadScores(f *modelfile.File, tensor string, items int) (model.Model, error) {
	scores, err := modelfile.Get[float64](f, tensor, items)
	return &Scores{tensor, scores}, err
}
