package measure

import (
	"math"

	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/model/interest"
)

// Neighbours is the number of weights of each item in the model of picks.
const Neighbours = 500

// Whole returns the model of [Model] with a random model of picks beside it, of as many units. Items differ in
// popularity as much as those of MovieLens: the log has a standard deviation of 1.5.
func Whole(seed uint64) *modelstore.Saved {
	saved := Model(seed)
	r := rng.Stream(seed, "bench picks")
	m := &interest.Model{
		Average: make([]float64, Items), Low: 1, High: 5, Units: Units, In: make([]float64, Items*Units), Gain: make([]float64, Items), Eigen: make([]float64, Units), Factor: make([]float64, Items),
		Noise: 4, Smooth: .3, Short: 10, Taste: .1,
	}
	for i := range m.Average {
		m.Average[i] = .01 * math.Exp(1.5*r.NormFloat64()-1)
		m.Gain[i] = m.Average[i]
		m.Factor[i] = 1
	}
	for k := range m.In {
		m.In[k] = float64(float32(r.NormFloat64()))
	}
	for k := range m.Eigen {
		m.Eigen[k] = 1 / float64(1+k)
	}
	m.Near.Start = make([]int64, Items+1)
	for i := range Items {
		for k := range Neighbours {
			j := k*(Items/Neighbours) + r.IntN(Items/Neighbours)
			m.Near.Target, m.Near.Value = append(m.Near.Target, uint32(j)), append(m.Near.Value, float32(m.Average[j]*r.NormFloat64()))
		}
		m.Near.Start[i+1] = int64(len(m.Near.Target))
	}
	m.Prepare()
	saved.Interest = m
	return saved
}
