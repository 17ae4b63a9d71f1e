package bayes

import (
	"fmt"
	"slices"

	"fubini/core/cholesky"
	"fubini/data/modelfile"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// header has the numbers in a file beside its arrays.
type header struct {
	Response  string  `json:"response"`
	Width     int     `json:"width"`
	Draws     int     `json:"draws"`
	Levels    int     `json:"levels"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// tensors are the numbers in a file that are draws, with their shapes.
func (f *posterior) tensors(levels int) []tensor {
	all := []tensor{
		{"items.root", &f.itemRoots, []int{f.kept, f.width, f.width}}, {"users.mean", &f.userMeans, []int{f.kept, f.width}},
		{"users.precision", &f.userPrecisions, []int{f.kept, f.width, f.width}}, {"noise", &f.noise, []int{f.kept}}, {"levels", &f.scale.levels, []int{levels}},
	}
	if f.response == OrderedProbit {
		all = append(all, tensor{"cuts", &f.allCuts, []int{f.kept, levels - 1}})
	}
	return all
}

type tensor struct {
	name    string
	numbers *[]float64
	shape   []int
}

// Save implements [model.Model]: all draws of the items, the priors, the noise and the cut points.
func (f *posterior) Save(file *modelfile.File) error {
	rated := make([]uint8, len(f.rated))
	for i, yes := range f.rated {
		if yes {
			rated[i] = 1
		}
	}
	modelfile.Set(file, "items", f.items, len(f.rated), f.kept, f.width)
	modelfile.Set(file, "items.rated", rated)
	for _, t := range f.tensors(len(f.scale.levels)) {
		modelfile.Set(file, t.name, *t.numbers, t.shape...)
	}
	return file.SetJSON(fitting.FileKey, header{responseNames[f.response], f.width, f.kept, len(f.scale.levels), f.scale.mean, f.scale.deviation})
}

// Load implements [model.Recipe].
func (m *Recipe) Load(file *modelfile.File, items int) (model.Model, error) {
	f, err := load(file, items)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func load(file *modelfile.File, items int) (*posterior, error) {
	var about header
	if err := file.JSON(fitting.FileKey, &about); err != nil {
		return nil, err
	}
	response := slices.Index(responseNames, about.Response)
	if response < 0 || about.Width < 2 || about.Draws < 1 || about.Levels < 1 || !(about.Deviation > 0) {
		return nil, fmt.Errorf("the file has response %q, width %d, %d draws, %d levels and deviation %g", about.Response, about.Width, about.Draws, about.Levels, about.Deviation)
	}
	f := &posterior{response: Response(response), width: about.Width, kept: about.Draws, scale: ratingScale{mean: about.Mean, deviation: about.Deviation}}
	r := modelfile.Reader{File: file}
	var rated []uint8
	modelfile.Into(&r, &rated, "items.rated", items)
	for _, yes := range rated {
		f.rated = append(f.rated, yes != 0)
	}
	modelfile.Into(&r, &f.items, "items", items, f.kept, f.width)
	for _, t := range f.tensors(about.Levels) {
		modelfile.Into(&r, t.numbers, t.name, t.shape...)
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return f, f.prepare()
}

// prepare checks the arrays, which may come from a file, and makes the tables.
func (f *posterior) prepare() error {
	if !ascends(f.scale.levels) {
		return fmt.Errorf("the levels %v do not ascend", f.scale.levels)
	}
	if f.response == Gaussian {
		f.allCuts = slices.Repeat(f.scale.midpoints(), f.kept)
	}
	for draw := range f.kept {
		cuts := f.cuts(draw)
		if !ascends(cuts) || !(f.noise[draw] > 0) {
			return fmt.Errorf("draw %d has cut points %v and a precision of noise of %g", draw, cuts, f.noise[draw])
		}
		if !cholesky.Factorise(slices.Clone(f.userPrior(draw).precision), f.width) {
			return fmt.Errorf("draw %d has a prior of users that is no normal distribution", draw)
		}
		for k := range f.width {
			if !(f.itemRoot(draw)[k*f.width+k] > 0) {
				return fmt.Errorf("draw %d has a prior of items that is no normal distribution", draw)
			}
		}
		if f.response == OrderedProbit {
			f.curves = append(f.curves, newLevelCurve(f.scale, cuts))
		}
	}
	return nil
}

func ascends(x []float64) bool {
	for k := 1; k < len(x); k++ {
		if !(x[k] > x[k-1]) {
			return false
		}
	}
	return true
}
