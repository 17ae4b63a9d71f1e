// Command top10 prints the ids of the ten items that a person would like best: go run ./examples/top10 MODEL TIERS.
package main

import (
	"fmt"
	"os"

	"fubini"
)

func main() {
	model := fubini.Must(fubini.Load(os.Args[1]))
	person := fubini.Must(model.ReadPerson(os.Args[2]))
	for _, pick := range fubini.Must(person.Top(10)) {
		fmt.Println(pick.ID)
	}
}
