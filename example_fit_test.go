package fubini_test

import (
	"context"
	"fmt"
	"strings"

	"fubini"
)

// races has the results of races between three runners, two in each.
func races() *fubini.Votes {
	var lists [][][]string
	add := func(times int, tiers ...[]string) {
		for range times {
			lists = append(lists, tiers)
		}
	}
	add(8, []string{"ada"}, []string{"bob"})
	add(3, []string{"bob"}, []string{"ada"})
	add(2, []string{"ada", "bob"})
	add(7, []string{"bob"}, []string{"cyd"})
	add(4, []string{"cyd"}, []string{"bob"})
	add(1, []string{"cyd", "bob"})
	add(9, []string{"ada"}, []string{"cyd"})
	add(2, []string{"cyd"}, []string{"ada"})
	return fubini.Must(fubini.NewVotes(lists))
}

// printBoard shows a board in one line.
func printBoard(board *fubini.Board) {
	for _, item := range board.Items {
		fmt.Printf("%s %.2f ± %.2f  ", item.ID, item.Worth, item.StdError)
	}
	fmt.Println()
}

func ExamplePrior() {
	board, err := fubini.Fit(context.Background(), races(), fubini.Prior(1)) // worths are drawn to zero, as by one normal observation
	check(err)
	printBoard(board)
	// Output: ada 0.72 ± 0.30  bob -0.10 ± 0.28  cyd -0.62 ± 0.30
}

func ExampleLearnPrior() {
	board, err := fubini.Fit(context.Background(), races(), fubini.LearnPrior())
	check(err)
	printBoard(board)
	// Output: ada 0.55 ± 0.26  bob -0.08 ± 0.24  cyd -0.47 ± 0.26
}

func ExampleErrors() {
	board, err := fubini.Fit(context.Background(), races(), fubini.Errors("sandwich"))
	check(err)
	printBoard(board)
	// Output: ada 0.85 ± 0.34  bob -0.11 ± 0.30  cyd -0.73 ± 0.35
}

func ExampleLevel() {
	board, err := fubini.Fit(context.Background(), races(), fubini.Level(0.8))
	check(err)
	first := board.Items[0]
	fmt.Printf("%s: %.2f to %.2f\n", first.ID, first.Low, first.High)
	// Output: ada: 0.41 to 1.28
}

func ExampleTies() {
	board, err := fubini.Fit(context.Background(), races(), fubini.Ties("item"), fubini.Prior(1)) // some share a place more often
	check(err)
	fmt.Println("tie weights by", board.Ties, "and", board.Parameters, "parameters")
	// Output: tie weights by item and 5 parameters
}

func ExampleSpace() {
	_, err := fubini.Fit(context.Background(), races(), fubini.Space("orders"))
	fmt.Println(err) // some races ended in a tie
	// Output: votes:12: it has a tie, and the sample space is orders without ties: choose the space of all weak orders
}

func ExampleHome() {
	matches := "home,away,home_score,away_score\n" + strings.Repeat("ada,bob,2,0\nbob,ada,1,1\nbob,cyd,3,1\ncyd,bob,2,1\nada,cyd,4,0\ncyd,ada,1,0\ncyd,ada,0,2\n", 3)
	votes, err := fubini.ReadVotesFrom(strings.NewReader(matches), "matches")
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Home(), fubini.Prior(1))
	check(err)
	for _, c := range board.Coefficients {
		if c.Name == "home" {
			fmt.Printf("%.1f is added to the worth of the home side\n", c.Value)
		}
	}
	// Output: 2.5 is added to the worth of the home side
}

func ExampleSizes() {
	votes, err := fubini.NewVotes([][][]string{{{"x", "y"}, {"z", "w"}}, {{"x"}, {"y", "z", "w"}}, {{"y"}, {"x", "z", "w"}}, {{"z", "x"}, {"y", "w"}}, {{"w"}, {"x", "y", "z"}}})
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Sizes(), fubini.Prior(1))
	check(err)
	for _, c := range board.Coefficients {
		fmt.Printf("%s %.1f  ", c.Name, c.Value)
	}
	model, err := board.Model() // keeps them
	check(err)
	fmt.Println(model.Name)
	// Output: nu 0.4  tier of 1 -0.8  tier of 2 0.2  tier of 3 0.6  tier of 4 -0.3  last tier of 1 -0.7  last tier of 2 0.1  last tier of 3 1.0  last tier of 4 -0.3  osm
}

func ExampleChoices() {
	votes, err := fubini.NewVotes([][][]string{{{"x"}, {"y"}, {"z"}}, {{"y"}, {"x"}, {"z"}}, {{"x"}, {"z"}, {"y"}}, {{"z"}, {"x"}, {"y"}}})
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Choices())
	check(err)
	printBoard(board)
	// Output: x 0.78 ± 0.58  y -0.39 ± 0.59  z -0.39 ± 0.59
}

func ExampleNotes() {
	votes, err := fubini.NewVotes([][][]string{{{"x"}, {"y"}}, {{"y"}, {"x"}}})
	check(err)
	_, err = fubini.Fit(context.Background(), votes, fubini.Notes(func(text string) { fmt.Println(text) }))
	check(err)
	// Output: no vote has a tie: fitted in the space of orders without ties, which has no tie weight
}

func ExampleBoard_Chances() {
	board, err := fubini.Fit(context.Background(), races())
	check(err)
	above, tied, below, err := board.Chances("ada", "cyd")
	check(err)
	fmt.Printf("above %.2f, tied %.2f, below %.2f\n", above, tied, below)
	// Output: above 0.77, tied 0.07, below 0.16
}

func ExampleBoard_Model() {
	board, err := fubini.Fit(context.Background(), races())
	check(err)
	model, err := board.Model() // to save, and to ask as any other
	check(err)
	person, err := model.Person([][]string{{"bob"}})
	check(err)
	odds, err := person.Odds("ada")
	check(err)
	fmt.Printf("ada is above bob with a probability of %.2f\n", odds.Gaps[0])
	// Output: ada is above bob with a probability of 0.66
}
