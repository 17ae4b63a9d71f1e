package bayes

import (
	"errors"
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
	modelfile.Set(file, "items.root", f.itemRoots, f.kept, f.width, f.width)
	modelfile.Set(file, "users.mean", f.userMeans, f.kept, f.width)
	modelfile.Set(file, "users.precision", f.userPrecisions, f.kept, f.width, f.width)
	modelfile.Set(file, "noise", f.noise)
	modelfile.Set(file, "levels", f.scale.levels)
	if f.response == OrderedProbit {
		modelfile.Set(file, "cuts", f.allCuts, f.kept, len(f.scale.levels)-1)
	}
	return file.SetJSON(fitting.FileKey, header{
		Response: responseNames[f.response], Width: f.width, Draws: f.kept, Levels: len(f.scale.levels), Mean: f.scale.mean, Deviation: f.scale.deviation,
	})
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
	f := &posterior{response: Response(response), width: about.Width, kept: about.Draws}
	f.scale.mean, f.scale.deviation = about.Mean, about.Deviation
	var errs [8]error
	f.noise, errs[0] = modelfile.Get[float64](file, "noise", f.kept)
	f.scale.levels, errs[1] = modelfile.Get[float64](file, "levels", about.Levels)
	if f.response == OrderedProbit {
		f.allCuts, errs[2] = modelfile.Get[float64](file, "cuts", f.kept, about.Levels-1)
	}
	f.userMeans, errs[3] = modelfile.Get[float64](file, "users.mean", f.kept, f.width)
	f.userPrecisions, errs[4] = modelfile.Get[float64](file, "users.precision", f.kept, f.width, f.width)
	f.itemRoots, errs[5] = modelfile.Get[float64](file, "items.root", f.kept, f.width, f.width)
	f.items, errs[6] = modelfile.Get[float32](file, "items", items, f.kept, f.width)
	rated, err := modelfile.Get[uint8](file, "items.rated", items)
	errs[7] = err
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	for _, r := range rated {
		f.rated = append(f.rated, r != 0)
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
