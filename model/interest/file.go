package interest

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/data/modelfile"
)

// Names of the tensors in a model file.
const (
	tensorAverage = "interest.average"
	tensorShape   = "interest.shape"  // low, high, smooth, short, noise, taste
	tensorLong    = "interest.long"   // older files lack it: it is short there
	tensorLowest  = "interest.lowest" // weight of the lowest rating; older files lack it
	tensorEigen   = "interest.eigen"
	tensorIn      = "interest.in"
	tensorGain    = "interest.gain"
	tensorFactor  = "interest.factor"
	tensorScores  = "interest.calibration.scores"
	tensorChance  = "interest.calibration.chance"
	tensorLength  = "interest.calibration.length" // power, a, b, c, d; older files lack it
	tensorNear    = "interest.near"
	tensorLift    = "interest.lift"       // mean and standard error; older files lack it
	tensorNext    = "interest.next"       // weights; a fit to lists without times lacks it, and so do older files
	tensorOrder   = "interest.next.shape" // recent, strength
)

// Save writes the model to a file, beside whatever else is there.
func (m *Model) Save(f *modelfile.File) error {
	modelfile.Set(f, tensorAverage, m.Average, len(m.Average))
	modelfile.Set(f, tensorShape, []float64{m.Low, m.High, m.Smooth, m.Short, m.Noise, m.Taste}, 6)
	modelfile.Set(f, tensorLong, []float64{m.Long}, 1)
	modelfile.Set(f, tensorLowest, []float64{m.Lowest}, 1)
	modelfile.Set(f, tensorEigen, m.Eigen, len(m.Eigen))
	narrow := make([]float32, len(m.In))
	for k, v := range m.In {
		narrow[k] = float32(v)
	}
	modelfile.Set(f, tensorIn, narrow, len(m.In)/max(1, m.Units), m.Units)
	modelfile.Set(f, tensorGain, m.Gain, len(m.Gain))
	modelfile.Set(f, tensorFactor, m.Factor, len(m.Factor))
	modelfile.Set(f, tensorScores, m.Calibration.Scores, len(m.Calibration.Scores))
	modelfile.Set(f, tensorChance, m.Calibration.Chance, len(m.Calibration.Chance))
	if l := m.Calibration.Length; l != nil {
		modelfile.Set(f, tensorLength, []float64{l.Power, l.A, l.B, l.C, l.D}, 5)
	}
	m.Near.save(f, tensorNear)
	if m.Lift != nil {
		modelfile.Set(f, tensorLift, []float64{m.Lift.Mean, m.Lift.StdErr}, 2)
	}
	if m.Next != nil {
		modelfile.Set(f, tensorOrder, []float64{m.Next.Recent, m.Next.Strength}, 2)
		m.Next.Weights.save(f, tensorNext)
	}
	return nil
}

func (w *Weights) save(f *modelfile.File, name string) {
	modelfile.Set(f, name+".start", w.Start, len(w.Start))
	modelfile.Set(f, name+".target", w.Target, len(w.Target))
	modelfile.Set(f, name+".value", w.Value, len(w.Value))
}

// Load reads a model of some items from a file; nil if the file has none.
func Load(f *modelfile.File, items int) (*Model, error) {
	if _, there := f.Tensor(tensorAverage); !there {
		return nil, nil
	}
	m, r := &Model{}, modelfile.Reader{File: f}
	var shape, long, lowest, length, lift, order []float64
	var narrow []float32
	modelfile.Into(&r, &m.Average, tensorAverage, items)
	modelfile.Into(&r, &shape, tensorShape, 6)
	modelfile.IntoSome(&r, &long, tensorLong, 1)
	modelfile.IntoSome(&r, &lowest, tensorLowest, 1)
	modelfile.Into(&r, &narrow, tensorIn, items, -1)
	m.Units = len(narrow) / max(1, items)
	modelfile.Into(&r, &m.Eigen, tensorEigen, m.Units)
	modelfile.Into(&r, &m.Gain, tensorGain, items)
	modelfile.Into(&r, &m.Factor, tensorFactor, items)
	modelfile.Into(&r, &m.Calibration.Scores, tensorScores, -1)
	modelfile.Into(&r, &m.Calibration.Chance, tensorChance, -1)
	modelfile.IntoSome(&r, &length, tensorLength, 5)
	modelfile.IntoSome(&r, &lift, tensorLift, 2)
	modelfile.IntoSome(&r, &order, tensorOrder, 2)
	if length != nil {
		m.Calibration.Length = &Length{length[0], length[1], length[2], length[3], length[4]}
	}
	if err := cmp.Or(r.Err, m.Calibration.check()); err != nil {
		return nil, err
	}
	m.Low, m.High, m.Smooth, m.Short, m.Noise, m.Taste = shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]
	m.Long = m.Short
	if long != nil {
		m.Long = long[0]
	}
	m.Lowest = lowestBefore
	if lowest != nil {
		m.Lowest = lowest[0]
	}
	m.In = make([]float64, len(narrow))
	for k, v := range narrow {
		m.In[k] = float64(v)
	}
	if lift != nil {
		m.Lift = &Lift{lift[0], lift[1]}
	}
	m.Prepare()
	if order != nil {
		m.Next = &Next{Recent: order[0], Strength: order[1]}
		if err := cmp.Or(m.Next.check(), m.Next.Weights.load(f, tensorNext, items)); err != nil {
			return nil, err
		}
	}
	return m, m.Near.load(f, tensorNear, items)
}

func (w *Weights) load(f *modelfile.File, name string, items int) error {
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &w.Start, name+".start", items+1)
	modelfile.Into(&r, &w.Target, name+".target", -1)
	modelfile.Into(&r, &w.Value, name+".value", len(w.Target))
	if r.Err != nil {
		return r.Err
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
