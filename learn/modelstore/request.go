package modelstore

import (
	"fubini/data/modelfile"
	"fubini/model"
)

// Request is a model to train, with the options of training that are not settings of the model.
type Request struct {
	Model   string       // name in the registry
	Recipe  model.Recipe // the model's settings; nil means their defaults
	Seed    uint64
	Jobs    int    // goroutines; 0 means one for each core
	Epochs  int    // passes over the lists in Extend; 0 means the model's default
	Program string // version of the program, for the file

	// Validate is the share of each user's ratings that is held back for early stopping. The
	// criterion is NDCG@10 on them. Training ends after 10 epochs without a new maximum; the
	// result is the best epoch. 0 means no validation.
	Validate float64

	// Calibrate is the share of the ratings, about [odds.MostHeld] of them at most, on which the tier probabilities of an
	// Ordered Set Model are calibrated: a second model is fitted without them, and its
	// predictions are compared with them. Where they are few, the first epochs of both fits are the same, without these
	// ratings. With Validate the ratings held back for that are
	// used, and no second model is needed. 0 means no calibration.
	Calibrate float64

	// Interest asks for the model of picks beside an Ordered Set Model, fitted to all ratings.
	Interest bool

	// Observe, if not nil, is called after every epoch; Trial after every epoch of the second
	// model, for Calibrate, that is not shared, and at first with epoch 0 and their number.
	Observe func(e Epoch, epochs int)
	Trial   func(epoch, epochs int)
	// Save, if not nil, is called with a checkpoint every SaveEvery epochs, and when the
	// context ends. Resume, if not nil, is the checkpoint to continue from.
	Save      func(f *modelfile.File) error
	SaveEvery int
	Resume    *modelfile.File
}
