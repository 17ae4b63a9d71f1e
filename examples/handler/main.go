// Command handler serves recommendations from a program of one's own: go run ./examples/handler MODEL, then
//
//	curl -d '[["The Matrix"],["Titanic"]]' localhost:8080
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"fubini"
)

func main() {
	model, err := fubini.Load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:8080", recommender(model)))
}

// recommender answers a list of tiers with ten items.
func recommender(model *fubini.Model) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var tiers [][]string
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&tiers); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		person, err := model.Person(tiers)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		top, err := person.Top(10)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		for _, pick := range top {
			json.NewEncoder(w).Encode(map[string]any{"item": pick.ID, "name": pick.Name, "score": pick.Score})
		}
	})
}
