package interest

import (
	"fmt"
	"slices"

	"fubini/data/modelfile"
)

// Names of the tensors in a model file.
const (
	tensorBase   = "interest.base"
	tensorHalf   = "interest.half"
	tensorScores = "interest.calibration.scores"
	tensorChance = "interest.calibration.chance"
	tensorLong   = "interest.long"
	tensorShort  = "interest.short"
)

// Save writes the model to a file, beside whatever else is there.
func (m *Model) Save(f *modelfile.File) error {
	modelfile.Set(f, tensorBase, m.Base, len(m.Base))
	modelfile.Set(f, tensorHalf, []float64{m.Half}, 1)
	modelfile.Set(f, tensorScores, m.Calibration.Scores, len(m.Calibration.Scores))
	modelfile.Set(f, tensorChance, m.Calibration.Chance, len(m.Calibration.Chance))
	m.Long.save(f, tensorLong)
	m.Short.save(f, tensorShort)
	return nil
}

func (w *Weights) save(f *modelfile.File, name string) {
	modelfile.Set(f, name+".start", w.Start, len(w.Start))
	modelfile.Set(f, name+".target", w.Target, len(w.Target))
	modelfile.Set(f, name+".value", w.Value, len(w.Value))
}

// Load reads a model of some items from a file; nil if the file has none.
func Load(f *modelfile.File, items int) (*Model, error) {
	if _, there := f.Tensor(tensorBase); !there {
		return nil, nil
	}
	m := &Model{}
	var err error
	if m.Base, err = modelfile.Get[float64](f, tensorBase, items); err != nil {
		return nil, err
	}
	half, err := modelfile.Get[float64](f, tensorHalf, 1)
	if err != nil {
		return nil, err
	}
	if m.Half = half[0]; !(m.Half > 0) {
		return nil, fmt.Errorf("interest: tensor %q is %g; it must be positive", tensorHalf, m.Half)
	}
	if m.Calibration.Scores, err = modelfile.Get[float64](f, tensorScores, -1); err != nil {
		return nil, err
	}
	if m.Calibration.Chance, err = modelfile.Get[float64](f, tensorChance, -1); err != nil {
		return nil, err
	}
	if err := m.Calibration.check(); err != nil {
		return nil, err
	}
	if err := m.Long.load(f, tensorLong, items); err != nil {
		return nil, err
	}
	return m, m.Short.load(f, tensorShort, items)
}

func (w *Weights) load(f *modelfile.File, name string, items int) (err error) {
	if w.Start, err = modelfile.Get[int64](f, name+".start", items+1); err != nil {
		return err
	}
	if w.Target, err = modelfile.Get[uint32](f, name+".target", -1); err != nil {
		return err
	}
	if w.Value, err = modelfile.Get[float32](f, name+".value", len(w.Target)); err != nil {
		return err
	}
	if w.Start[0] != 0 || w.Start[items] != int64(len(w.Target)) || !slices.IsSorted(w.Start) {
		return fmt.Errorf("interest: tensor %q does not divide %d weights into rows", name+".start", len(w.Target))
	}
	for _, j := range w.Target {
		if int(j) >= items {
			return fmt.Errorf("interest: tensor %q has item %d of a catalogue of %d", name+".target", j, items)
		}
	}
	return nil
}
