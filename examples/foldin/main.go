// Command foldin trains a model, keeps it, reads it again, and explains what it recommends to somebody new: foldin RATINGS LIKED DISLIKED
package main

import (
	"context"
	"fmt"
	"os"

	"fubini"
)

func main() {
	data := fubini.Must(fubini.ReadData(os.Args[1]))
	trained := fubini.Must(fubini.Train(context.Background(), data, fubini.For(fubini.Taste)))
	if err := trained.Save("model.safetensors"); err != nil {
		panic(err)
	}
	model := fubini.Must(fubini.Load("model.safetensors"))
	person := fubini.Must(model.Person([][]string{{os.Args[2]}, {os.Args[3]}}))
	for _, pick := range fubini.Must(person.Top(10)) {
		why := fubini.Must(person.Explain(pick.ID)).Taste
		fmt.Printf("%s: score %.3f, of which %+.3f for %s\n", pick.Name, pick.Score, why.Placed[0].Value, why.Placed[0].Name)
	}
}
