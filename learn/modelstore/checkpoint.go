package modelstore

import (
	"fmt"
	"slices"

	"fubini/data/modelfile"
	"fubini/learn/ascent"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// checkpointName is the name of the model in a checkpoint file.
const checkpointName = "checkpoint"

// Names in checkpoints, kept from before the parts had their present names, so that old checkpoints
// open: the curvature of weights by tier size, and the co-occurrence features. The curvature of the
// other parameters is "sight" in the metadata.
const (
	sizeCurvature      = "sight.sizes"
	unitPrecisions     = "precision.units"
	chosenPrecisions   = "precision.chosen"
	tastesOfWorths     = "tastes.u"
	tastesOfUnits      = "tastes.w"
	tastesRidge        = "tastes.ridge"
	checkpointFeatures = "company."
	itemFeatures       = checkpointFeatures + "of"
)

// progressOf is the metadata of a checkpoint.
type progressOf struct {
	Model          string           `json:"model"`
	Epoch          int              `json:"epoch"`
	Averaged       int              `json:"averaged"`
	Best           bool             `json:"best"`
	BestAt         int              `json:"best_at"`
	BestValidation float64          `json:"best_validation"`
	Curvature      ascent.Curvature `json:"sight"`
	Slope          float64          `json:"slope"`
	History        []Epoch          `json:"history"`
}

// Checkpoint returns the state of a training run as a safetensors file, with the name of the
// model and the fingerprint of the data.
func Checkpoint(model, data string, state *ascent.State, history []Epoch) (*modelfile.File, error) {
	f := modelfile.New()
	f.Metadata[modelfile.KeyModel] = checkpointName
	f.Metadata[modelfile.KeyData] = data
	err := f.SetJSON(modelfile.KeySettings, progressOf{
		Model: model, Epoch: state.Epoch, Averaged: state.Averaged, Best: state.Best != nil, BestAt: state.BestAt, BestValidation: state.BestValidation,
		Curvature: state.Curvature, Slope: state.Slope, History: history,
	})
	if err != nil {
		return nil, err
	}
	for prefix, c := range map[string]*latent.Catalogue{"now.": state.Now, "mean.": state.Mean, "best.": state.Best} {
		if c != nil {
			registry.SetParameters(f, prefix, c)
		}
	}
	if c := state.CoOccurrence; c != nil {
		registry.SetFeatures(f, checkpointFeatures, c)
		modelfile.Set(f, itemFeatures, c.Items, state.Now.Items, c.Dims)
	}
	modelfile.SetSome(f, sizeCurvature, state.SizeCurvature, len(state.SizeCurvature))
	modelfile.SetSome(f, unitPrecisions, state.Units, len(state.Units))
	modelfile.SetSome(f, chosenPrecisions, state.Precisions, len(state.Precisions))
	if t := state.Tastes; t != nil {
		modelfile.Set(f, tastesOfWorths, t.U, state.Now.Items)
		modelfile.Set(f, tastesOfUnits, t.W, state.Now.Items, state.Now.K)
		modelfile.SetSome(f, tastesRidge, t.Ridge, len(t.Ridge))
	}
	if state.Ranks != nil {
		var flat []uint32
		ends := make([]uint32, len(state.Ranks))
		for l, ranks := range state.Ranks {
			for _, r := range ranks {
				flat = append(flat, uint32(r))
			}
			ends[l] = uint32(len(flat))
		}
		modelfile.Set(f, "ranks", flat, len(flat))
		modelfile.Set(f, "ranks.ends", ends, len(ends))
	}
	return f, nil
}

// Resume reads a checkpoint. It is an error if the model, the data or the options are not those
// of the run to continue.
func Resume(f *modelfile.File, model, data string, items int, o *ascent.Options) (*ascent.State, []Epoch, error) {
	if f.Metadata[modelfile.KeyModel] != checkpointName {
		return nil, nil, fmt.Errorf("modelstore: the file is no checkpoint but a model %q", f.Metadata[modelfile.KeyModel])
	}
	var about progressOf
	if err := f.JSON(modelfile.KeySettings, &about); err != nil {
		return nil, nil, err
	}
	if about.Model != model {
		return nil, nil, fmt.Errorf("modelstore: the checkpoint is of %s, not of %s", about.Model, model)
	}
	if known := f.Metadata[modelfile.KeyData]; known != data {
		return nil, nil, fmt.Errorf("modelstore: the checkpoint is of other data (fingerprint %s, these have %s)", known, data)
	}
	s := &ascent.State{Epoch: about.Epoch, Averaged: about.Averaged, BestAt: about.BestAt, BestValidation: about.BestValidation, Curvature: about.Curvature, Slope: about.Slope}
	var err error
	read := func(prefix string, to **latent.Catalogue) {
		if err == nil {
			*to, err = registry.Parameters(f, prefix, o.Shape(items, 0))
		}
	}
	read("now.", &s.Now)
	read("mean.", &s.Mean)
	if about.Best {
		read("best.", &s.Best)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("modelstore: the checkpoint does not fit these settings: %w", err)
	}
	if s.CoOccurrence, err = registry.Features(f, checkpointFeatures, o.Hidden); err != nil {
		return nil, nil, err
	}
	r := modelfile.Reader{File: f}
	if c := s.CoOccurrence; c != nil {
		modelfile.Into(&r, &c.Items, itemFeatures, items, c.Dims)
	}
	modelfile.IntoSome(&r, &s.SizeCurvature, sizeCurvature, len(s.Now.Sizes))
	modelfile.IntoSome(&r, &s.Units, unitPrecisions, o.Hidden)
	modelfile.IntoSome(&r, &s.Precisions, chosenPrecisions, 3)
	var t ascent.Tastes
	if modelfile.IntoSome(&r, &t.U, tastesOfWorths, items); t.U != nil {
		modelfile.Into(&r, &t.W, tastesOfUnits, items, o.Hidden)
		modelfile.IntoSome(&r, &t.Ridge, tastesRidge, -1)
		s.Tastes = &t
	}
	var flat, ends []uint32
	if modelfile.IntoSome(&r, &flat, "ranks", -1); flat == nil {
		return s, about.History, r.Err
	}
	if modelfile.Into(&r, &ends, "ranks.ends", -1); r.Err != nil {
		return nil, nil, r.Err
	}
	s.Ranks, err = ranksOf(flat, ends)
	return s, about.History, err
}

// ranksOf cuts ranks into lists, and refuses what is no order.
func ranksOf(flat, ends []uint32) ([][]uint16, error) {
	ranks := make([][]uint16, len(ends))
	from := uint32(0)
	for l, end := range ends {
		if end < from || int(end) > len(flat) {
			return nil, fmt.Errorf("modelstore: the checkpoint's chain %d ends at %d", l, end)
		}
		if end == from {
			continue // a list too long for a chain of its own
		}
		chain := flat[from:end]
		used := make([]bool, len(chain))
		ranks[l] = make([]uint16, len(chain))
		for k, r := range chain {
			if int(r) >= len(chain) {
				return nil, fmt.Errorf("modelstore: the checkpoint's chain %d has rank %d of %d items", l, r, len(chain))
			}
			used[r] = true
			ranks[l][k] = uint16(r)
		}
		if gap := slices.Index(used, false); gap >= 0 && gap < int(slices.Max(chain)) {
			return nil, fmt.Errorf("modelstore: the checkpoint's chain %d has no item of rank %d", l, gap)
		}
		from = end
	}
	return ranks, nil
}
