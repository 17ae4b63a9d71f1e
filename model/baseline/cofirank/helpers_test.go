package cofirank

import "testing"

// with changes a recipe.
func with(recipe *Recipe, change func(o *Recipe)) *Recipe {
	change(recipe)
	return recipe
}

func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and on one core")
	}
}

// prepared is a list with these ratings, the best first.
func prepared(loss listLoss, ratings []float64) *list {
	one := &list{values: ratings}
	one.prepare(loss)
	return one
}
