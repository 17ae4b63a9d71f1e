package web_test

import (
	"fmt"
	"math"
	"net/http"
	"strings"
)

// The toy in place of the model: what the fake server knows.

type question struct {
	Tiers   [][]string `json:"tiers"`
	Exclude []string   `json:"exclude"`
	N       int        `json:"n"`
	Only    []string   `json:"only"`
	Item    string     `json:"item"`
	Items   *int       `json:"items"` // of the map; nil for all
}

// likes is one placed food and how much the person likes it, from 1 for the best tier to -1.
type likes struct {
	food
	tier  int // from 1, among the used ones
	worth float64
}

func (f *fake) read(q question) (placed []likes, used []int, unknown []string) {
	for t, items := range q.Tiers {
		n := len(placed)
		for _, id := range items {
			if x, ok := f.find(id); ok {
				placed = append(placed, likes{food: x, tier: len(used) + 1})
			} else {
				unknown = append(unknown, id)
			}
		}
		if len(placed) > n {
			used = append(used, t)
		}
	}
	for i := range placed {
		placed[i].worth = 1
		if len(used) > 1 {
			placed[i].worth = 1 - 2*float64(placed[i].tier-1)/float64(len(used)-1)
		}
	}
	return placed, used, unknown
}

func overlap(a, b food) float64 {
	same := 0.
	for _, c := range a.traits {
		if strings.ContainsRune(b.traits, c) {
			same++
		}
	}
	return same/math.Sqrt(float64(max(1, len(a.traits)*len(b.traits)))) - 0.18
}

// score is a base, and a part for each placed food.
func score(x food, placed []likes) (base float64, parts []float64, sum float64) {
	base = (noise(x.Item, 1) - 0.5) * 0.5
	sum = base
	for _, p := range placed {
		part := 1.5 * p.worth * overlap(x, p.food) / math.Sqrt(float64(len(placed)))
		parts = append(parts, part)
		sum += part
	}
	return base, parts, sum
}

// odds puts bell curves around the levels of the used tiers, and small ones between them.
func odds(s float64, used int) (tiers, gaps []float64) {
	level := func(i float64) float64 { return 1.25 - 2.2*i/math.Max(1, float64(used-1)) }
	var total float64
	for i := range 2*used + 1 {
		at := float64(i)/2 - 0.5
		p := math.Exp(-math.Pow(s-level(at), 2) / 0.2)
		if i%2 == 0 {
			p *= 0.12
			gaps = append(gaps, p)
		} else {
			tiers = append(tiers, p)
		}
		total += p
	}
	for i := range tiers {
		tiers[i] /= total
	}
	for i := range gaps {
		gaps[i] /= total
	}
	return tiers, gaps
}

// where is a food's place on the map: traits pull in fixed directions.
func where(x food) (float64, float64) {
	var px, py float64
	for _, c := range x.traits {
		angle := float64(strings.IndexRune("uhmcsbgfd", c)) / 9 * 2 * math.Pi
		px, py = px+1.5*math.Cos(angle), py+math.Sin(angle)
	}
	return px/float64(len(x.traits)) + 1.1*(noise(x.Item, 2)-0.5), py/float64(len(x.traits)) + 0.9*(noise(x.Item, 3)-0.5)
}

func (f *fake) facts(w http.ResponseWriter, _ *http.Request) {
	epochs, distance, ndcg, split, merge := []int{}, []float64{}, []float64{}, []float64{}, []float64{}
	for e := range 61 {
		x := float64(e)
		wobble := func(salt int) float64 { return (noise(fmt.Sprint(e), salt) - 0.5) * 0.006 }
		epochs = append(epochs, e)
		distance = append(distance, 0.305+0.185*math.Exp(-x/10)+wobble(4))
		ndcg = append(ndcg, 0.842-0.19*math.Exp(-x/10)+wobble(5)/2)
		split = append(split, 0.41+0.21*math.Exp(-x/13)+wobble(6))
		merge = append(merge, 0.335+0.165*math.Exp(-x/13)+wobble(7))
	}
	bins := []map[string]any{}
	for i, count := range []int{21000, 9100, 6200, 4100, 2900, 1800, 1100, 620, 260, 90} {
		p := 0.05 + 0.1*float64(i)
		seen := p + (noise(fmt.Sprint(i), 8)-0.5)*0.03
		half := 1.96 * math.Sqrt(p*(1-p)/float64(count))
		bins = append(bins, map[string]any{"p": p, "observed": seen, "low": seen - half, "high": seen + half, "count": count})
	}
	units := []map[string]any{}
	for k, c := range "uhsgmcfb" {
		var up, down []map[string]any
		for _, x := range f.foods {
			row := map[string]any{"item": x.Item, "name": x.Name}
			if strings.ContainsRune(x.traits, c) && len(up) < 4 {
				up = append(up, row)
			} else if !strings.ContainsRune(x.traits, c) && len(down) < 4 && noise(x.Item, k) > 0.8 {
				down = append(down, row)
			}
		}
		units = append(units, map[string]any{"unit": k, "share": 0.41 - 0.04*float64(k), "up": up, "down": down})
	}
	calibration := any(map[string]any{"bins": bins, "even": bins, "ece": 0.008, "events": 47170})
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noHeld {
		calibration = nil
	}
	facts := map[string]any{"model": "latent-osm", "seed": 1, "people": 3000, "items": len(f.foods), "placements": 72000, "hidden": 8,
		"units": "binary", "version": "0.1.0", "fingerprint": "9f3c02d17be4", "synthetic": true, "title": "Demo world: synthetic people", "training_s": 6.84}
	curves := map[string]any{"epoch": epochs, "distance": distance, "ndcg10": ndcg, "item_mean_ndcg10": 0.742, "log_likelihood": []float64{}, "accept": map[string]any{"split": split, "merge": merge}}
	if f.curves != nil { // as the server answers for a file that has fewer
		none := []float64{}
		curves = map[string]any{"epoch": epochs, "distance": none, "ndcg10": none, "item_mean_ndcg10": nil, "log_likelihood": none, "accept": map[string]any{"split": none, "merge": none}}
		for _, name := range f.curves {
			curves[name] = distance
		}
		if len(f.curves) == 0 {
			curves["epoch"] = []int{}
		}
		facts["training_s"] = nil
		for _, unit := range units {
			unit["share"] = nil
		}
	}
	if f.votes != nil {
		facts = map[string]any{"model": "osm", "seed": 1, "people": 13621, "items": len(f.votes.names), "placements": 27242, "hidden": 0, "units": "binary", "version": "0.1.0", "fingerprint": "", "synthetic": false, "title": "", "training_s": nil}
	}
	answer(w, map[string]any{"id": f.model, "board": f.votes != nil, "facts": facts, "curves": curves, "calibration": calibration, "units": units})
}
