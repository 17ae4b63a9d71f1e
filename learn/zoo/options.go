package zoo

import (
	"fmt"

	"fubini/learn/train"
)

// Options are the options of training that a recipe of the Ordered Set family stands for.
func Options(r Recipe) (train.LatentOptions, error) {
	switch recipe := r.(type) {
	case *hidden:
		return recipe.LatentOptions, nil
	case *visible:
		return recipe.options(), nil
	}
	return train.LatentOptions{}, fmt.Errorf("zoo: the model %w; osm, latent-osm and latent-osm-paper have", ErrNoUnits)
}
