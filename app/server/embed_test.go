package server_test

import (
	"fmt"
	"strings"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
)

// A model of picks alone has no map: the answer is a refusal that names what it has, and no map of zeros.
func TestAModelOfPicksHasNoMap(t *testing.T) {
	b := ratings.NewBuilder()
	for u := range 30 {
		for i := range 20 {
			if i%2 == u%2 || (u+i)%7 == 0 {
				if err := b.Add(fmt.Append(nil, "u", u), fmt.Append(nil, "item-", i), 1, ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "interest", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, nil)
	s.file.Store(file)
	if got := s.ask("POST", "/v1/model/reload", "", s.key()...); got.status != 200 {
		t.Fatalf("status %d: %s", got.status, got.text)
	}
	const tiers = `{"tiers":[["item-3","item-1"]]}`
	if got := s.ask("POST", "/v1/embed", tiers); got.status != 409 || !strings.Contains(string(got.text), "interest alone") {
		t.Errorf("the map is answered by %d: %s", got.status, got.text)
	}
	if got := s.ask("POST", "/v1/recommend", tiers); got.status != 200 {
		t.Errorf("recommendations are answered by %d: %s", got.status, got.text)
	}
}
