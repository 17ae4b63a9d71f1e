package bayes

import (
	"fmt"
	"slices"

	"fubini/core/cholesky"
	"fubini/data/modelfile"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// bayesKept is what a file says of the model beside its tensors.
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
	var cuts, means, precisions, roots []float64
	for draw := range f.kept {
		if f.response == OrderedProbit {
			cuts = append(cuts, f.cuts[draw]...)
		}
		means = append(means, f.userPrior[draw].mean...)
		precisions = append(precisions, f.userPrior[draw].precision...)
		roots = append(roots, f.itemRoot[draw]...)
	}
	rated := make([]uint8, len(f.rated))
	for i, yes := range f.rated {
		if yes {
			rated[i] = 1
		}
	}
	modelfile.Set(file, "items", f.items, len(f.rated), f.kept, f.width)
	modelfile.Set(file, "items.rated", rated)
	modelfile.Set(file, "items.root", roots, f.kept, f.width, f.width)
	modelfile.Set(file, "users.mean", means, f.kept, f.width)
	modelfile.Set(file, "users.precision", precisions, f.kept, f.width, f.width)
	modelfile.Set(file, "noise", f.noise)
	modelfile.Set(file, "levels", f.scale.levels)
	if f.response == OrderedProbit {
		modelfile.Set(file, "cuts", cuts, f.kept, len(f.scale.levels)-1)
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
	var err error
	if f.noise, err = modelfile.Get[float64](file, "noise", f.kept); err != nil {
		return nil, err
	}
	if f.scale.levels, err = modelfile.Get[float64](file, "levels", about.Levels); err != nil {
		return nil, err
	}
	if f.response == OrderedProbit {
		if f.cuts, err = byDraw(file, "cuts", f.kept, about.Levels-1); err != nil {
			return nil, err
		}
	}
	means, err := byDraw(file, "users.mean", f.kept, f.width)
	if err != nil {
		return nil, err
	}
	precisions, err := byDraw(file, "users.precision", f.kept, f.width, f.width)
	if err != nil {
		return nil, err
	}
	for draw := range means {
		f.userPrior = append(f.userPrior, normalPrior{means[draw], precisions[draw]})
	}
	if f.itemRoot, err = byDraw(file, "items.root", f.kept, f.width, f.width); err != nil {
		return nil, err
	}
	if f.items, err = modelfile.Get[float32](file, "items", items, f.kept, f.width); err != nil {
		return nil, err
	}
	rated, err := modelfile.Get[uint8](file, "items.rated", items)
	if err != nil {
		return nil, err
	}
	for _, r := range rated {
		f.rated = append(f.rated, r != 0)
	}
	return f, f.prepare()
}

// byDraw reads a tensor whose first dimension is the draw.
func byDraw(file *modelfile.File, name string, shape ...int) ([][]float64, error) {
	values, err := modelfile.Get[float64](file, name, shape...)
	if err != nil {
		return nil, err
	}
	rows, size := make([][]float64, shape[0]), len(values)/shape[0]
	for draw := range rows {
		rows[draw] = values[draw*size : (draw+1)*size : (draw+1)*size]
	}
	return rows, nil
}

// prepare checks what a file might have wrong, and makes the tables.
func (f *posterior) prepare() error {
	ascends := func(x []float64) bool {
		for k := 1; k < len(x); k++ {
			if !(x[k] > x[k-1]) {
				return false
			}
		}
		return true
	}
	if !ascends(f.scale.levels) {
		return fmt.Errorf("the levels %v do not ascend", f.scale.levels)
	}
	if f.response == Gaussian {
		f.cuts = slices.Repeat([][]float64{f.scale.midpoints()}, f.kept)
	}
	root := make([]float64, f.width*f.width)
	for draw, cuts := range f.cuts {
		if !ascends(cuts) || !(f.noise[draw] > 0) {
			return fmt.Errorf("draw %d has cut points %v and a precision of noise of %g", draw, cuts, f.noise[draw])
		}
		copy(root, f.userPrior[draw].precision)
		if !cholesky.Factorise(root, f.width) {
			return fmt.Errorf("draw %d has a prior of users that is no normal distribution", draw)
		}
		for k := range f.width {
			if !(f.itemRoot[draw][k*f.width+k] > 0) {
				return fmt.Errorf("draw %d has a prior of items that is no normal distribution", draw)
			}
		}
		if f.response == OrderedProbit {
			f.curves = append(f.curves, newLevelCurve(f.scale, cuts))
		}
	}
	return nil
}
