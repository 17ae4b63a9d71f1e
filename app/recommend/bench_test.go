package recommend

import (
	"io"
	"math"
	"testing"

	"fubini/app/measure"
	"fubini/core/rng"
	"fubini/data/format"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/interest"
)

// BenchmarkOne folds in a person and finds the best ten of 10,000 items, by each aim.
func BenchmarkOne(b *testing.B) { benchmarkAims(b, 1) }

// BenchmarkBlock does so for 64 people at a time; the time is that of one of them.
func BenchmarkBlock(b *testing.B) { benchmarkAims(b, blockUsers) }

func benchmarkAims(b *testing.B, together int) {
	saved := whole(1)
	reader, err := format.NewUserReader(measure.Ratings(4*blockUsers), "people", format.Options{Format: "csv"})
	if err != nil {
		b.Fatal(err)
	}
	defer reader.Close()
	var people []model.Person
	batch := &Batch{Rated: true}
	if batch.Recommender, err = New(saved, Rules{}); err != nil {
		b.Fatal(err)
	}
	for {
		var user format.User
		if err := reader.Next(&user); err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
		person, err := batch.person(&user, &Counts{})
		if err != nil {
			b.Fatal(err)
		}
		people = append(people, person)
	}
	for _, aim := range []modelstore.Aim{modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
		r, err := New(saved, Rules{Count: measure.Top, Aim: aim})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(aim.String(), func(b *testing.B) {
			var s Scratch
			b.ReportAllocs()
			for at := 0; at < b.N; at += together {
				from := at % len(people)
				if _, err := r.Answer(b.Context(), people[from:from+together], &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// neighbours is the number of weights of each item in the model of picks.
const neighbours = 500

// whole returns the model of package measure with a random model of picks beside it, of as many units. measure.Items differ in
// popularity as much as those of MovieLens: the log has a standard deviation of 1.5.
func whole(seed uint64) *modelstore.Saved {
	saved := measure.Model(seed)
	r := rng.Stream(seed, "bench picks")
	m := &interest.Model{
		Average: make([]float64, measure.Items), Low: 1, High: 5, Units: measure.Units, In: make([]float64, measure.Items*measure.Units), Gain: make([]float64, measure.Items), Eigen: make([]float64, measure.Units), Factor: make([]float64, measure.Items),
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
	m.Near.Start = make([]int64, measure.Items+1)
	for i := range measure.Items {
		for k := range neighbours {
			j := k*(measure.Items/neighbours) + r.IntN(measure.Items/neighbours)
			m.Near.Target, m.Near.Value = append(m.Near.Target, uint32(j)), append(m.Near.Value, float32(m.Average[j]*r.NormFloat64()))
		}
		m.Near.Start[i+1] = int64(len(m.Near.Target))
	}
	m.Prepare()
	saved.Interest = m
	return saved
}
