package rival

import (
	"fmt"
	"slices"

	"fubini/data/modelfile"
)

// bayesKept is what a file says of the model beside its tensors.
type bayesKept struct {
	Response  string  `json:"response"`
	Width     int     `json:"width"`
	Draws     int     `json:"draws"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// Save implements [Model]: all draws of the items, the priors, the noise and the
// cut points.
func (f *bayesModel) Save(file *modelfile.File) error {
	var cuts, means, precisions, roots []float64
	for draw := range f.kept {
		cuts = append(cuts, f.cuts[draw]...)
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
	modelfile.Set(file, "cuts", cuts, f.kept, len(f.scale.levels)-1)
	return file.SetJSON("rival", bayesKept{
		Response: responseNames[f.response], Width: f.width, Draws: f.kept, Mean: f.scale.mean, Deviation: f.scale.deviation,
	})
}

// Load implements [Recipe].
func (m *BayesianMF) Load(file *modelfile.File, items int) (Model, error) {
	f, err := loadBayes(file, items)
	if err != nil {
		return nil, fmt.Errorf("rival: %s: %w", bayesianName, err)
	}
	return f, nil
}

func loadBayes(file *modelfile.File, items int) (*bayesModel, error) {
	var about bayesKept
	if err := file.JSON("rival", &about); err != nil {
		return nil, err
	}
	response := slices.Index(responseNames, about.Response)
	if response < 0 || about.Width < 2 || about.Draws < 1 || !(about.Deviation > 0) {
		return nil, fmt.Errorf("the file has response %q, width %d, %d draws and deviation %g", about.Response, about.Width, about.Draws, about.Deviation)
	}
	f := &bayesModel{response: Response(response), width: about.Width, kept: about.Draws}
	f.scale.mean, f.scale.deviation = about.Mean, about.Deviation
	var failed error
	get := func(name string, shape ...int) []float64 {
		values, err := modelfile.Get[float64](file, name, shape...)
		if err != nil && failed == nil {
			failed = err
		}
		return values
	}
	f.scale.levels = get("levels", -1)
	f.noise = get("noise", f.kept)
	cuts := get("cuts", f.kept, len(f.scale.levels)-1)
	means, precisions := get("users.mean", f.kept, f.width), get("users.precision", f.kept, f.width, f.width)
	roots := get("items.root", f.kept, f.width, f.width)
	if failed != nil {
		return nil, failed
	}
	var err error
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
	part := func(of []float64, draw, size int) []float64 { return of[draw*size : (draw+1)*size : (draw+1)*size] }
	for draw := range f.kept {
		f.cuts = append(f.cuts, part(cuts, draw, len(f.scale.levels)-1))
		f.userPrior = append(f.userPrior, bayesPrior{part(means, draw, f.width), part(precisions, draw, f.width*f.width)})
		f.itemRoot = append(f.itemRoot, part(roots, draw, f.width*f.width))
	}
	return f, f.prepare()
}

// prepare checks what a file might have wrong, and makes the tables.
func (f *bayesModel) prepare() error {
	ascends := func(x []float64) bool {
		for k := 1; k < len(x); k++ {
			if !(x[k] > x[k-1]) {
				return false
			}
		}
		return true
	}
	if len(f.scale.levels) == 0 || !ascends(f.scale.levels) {
		return fmt.Errorf("the levels %v do not ascend", f.scale.levels)
	}
	root := make([]float64, f.width*f.width)
	for draw, cuts := range f.cuts {
		if !ascends(cuts) || !(f.noise[draw] > 0) {
			return fmt.Errorf("draw %d has cut points %v and a precision of noise of %g", draw, cuts, f.noise[draw])
		}
		copy(root, f.userPrior[draw].precision)
		if !factorise(root, f.width) {
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
