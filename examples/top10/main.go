// Command top10 prints the ids of the ten items that a person would like best: go run ./examples/top10 MODEL TIERS.
package main

import (
	"fmt"
	"log"
	"os"

	"fubini"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: top10 MODEL TIERS")
	}
	model, err := fubini.Load(os.Args[1])
	check(err)
	person, err := model.ReadPerson(os.Args[2])
	check(err)
	top, err := person.Top(10)
	check(err)
	for _, pick := range top {
		fmt.Println(pick.ID)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
