package titles_test

import (
	"fmt"

	"fubini/data/titles"
)

func Example() {
	films := []titles.Entry{{Name: "Matrix, The (1999)"}, {Name: "Sabrina (1954)"}, {Name: "Sabrina (1995)"}, {Name: "Seven (a.k.a. Se7en) (1995)"}}
	x := titles.New(films)
	for _, title := range []string{"the matrix", "Se7en", "The Matirx", "Sabrina", "Alien"} {
		m := x.Find(titles.Query{Title: title})
		if m.How.Found() {
			fmt.Printf("%s: %s, %s\n", title, titles.Plain(films[m.Item].Name), m.How)
		} else {
			fmt.Printf("%s: %s\n", title, m.How)
		}
	}
	// Output:
	// the matrix: The Matrix (1999), folded
	// Se7en: Seven (a.k.a. Se7en) (1995), alternative
	// The Matirx: The Matrix (1999), guess
	// Sabrina: ambiguous
	// Alien: none
}
