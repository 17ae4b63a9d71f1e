package recommend

import (
	"io"
	"testing"

	"fubini/app/measure"
	"fubini/data/format"
	"fubini/learn/modelstore"
	"fubini/model"
)

// BenchmarkOne folds in a person and finds the best ten of 10,000 items, by each aim.
func BenchmarkOne(b *testing.B) { benchmarkAims(b, 1) }

// BenchmarkBlock does so for 64 people at a time; the time is that of one of them.
func BenchmarkBlock(b *testing.B) { benchmarkAims(b, blockUsers) }

func benchmarkAims(b *testing.B, together int) {
	saved := measure.Whole(1)
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
