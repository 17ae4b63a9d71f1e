package fubini_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"fubini"
	"fubini/data/format"
)

const films = "user,item,rating\nann,Alien,5\nann,Heat,3\nbob,Alien,4\n"

func ExampleReadData() {
	path := filepath.Join(os.TempDir(), "films.csv")
	defer os.Remove(path)
	check(os.WriteFile(path, []byte(films), 0o666))
	data, err := fubini.ReadData(path)
	check(err)
	fmt.Println(data.Format, data.Users().Len(), "people,", data.Items().Len(), "films")
	// Output: csv 2 people, 2 films
}

func ExampleReadDataFS() {
	files := fstest.MapFS{"films.csv": {Data: []byte(films)}} // an embed.FS, an open zip archive, ...
	data, err := fubini.ReadDataFS(files, "films.csv")
	check(err)
	fmt.Println(data.Users().Len(), "people")
	// Output: 2 people
}

func ExampleReadDataFrom() {
	data, err := fubini.ReadDataFrom(strings.NewReader(films), "the body of a request")
	check(err)
	fmt.Println(data.Users().Len(), "people")
	_, err = fubini.ReadDataFrom(strings.NewReader(films+"bob,Heat,very good\n"), "the body of a request")
	fmt.Println(err)
	// Output:
	// 2 people
	// the body of a request:5: rating "very good" is not a finite number; write it like 4 or 3.5, or as a grade like A+
}

func ExampleRatings() {
	data, err := fubini.Ratings([]fubini.Rating{
		{User: "ann", Item: "Alien", Value: 5, Time: time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)},
		{User: "ann", Item: "Heat", Value: 3},
		{User: "bob", Item: "Alien", Value: 4},
	})
	check(err)
	low, high := data.Range()
	fmt.Println("ratings from", low, "to", high)
	// Output: ratings from 3 to 5
}

func ExampleTierLists() {
	data, err := fubini.TierLists(map[string][][]string{
		"ann": {{"Alien", "Heat"}, {"Titanic"}}, // best first
		"bob": {{"Titanic"}, {"Alien"}},
	})
	check(err)
	fmt.Println(data.Items().Len(), "films; tiers only:", data.TiersOnly)
	// Output: 3 films; tiers only: true
}

func ExampleNewData() {
	// Package format has options that ReadData has not: here the columns have other names.
	files := fstest.MapFS{"reviews.csv": {Data: []byte("reviewer,game,stars\nann,Go,5\nann,Chess,3\n")}}
	set, report, err := format.Read(files, "reviews.csv", format.Options{Columns: map[string]string{"user": "reviewer", "item": "game", "rating": "stars"}})
	check(err)
	data := fubini.NewData("reviews.csv", set, report)
	fmt.Println(data.Name, data.Items().Len(), "games")
	// Output: reviews.csv 2 games
}

func ExampleReadVotes() {
	path := filepath.Join(os.TempDir(), "duels.csv")
	defer os.Remove(path)
	check(os.WriteFile(path, []byte("model_a,model_b,winner,judge\nx,y,model_a,ann\ny,x,tie,bob\n"), 0o666))
	votes, err := fubini.ReadVotes(path, func(o *fubini.VoteOptions) { o.Rater = "judge" })
	check(err)
	fmt.Println(len(votes.Items), "items,", len(votes.Raters), "judges")
	// Output: 2 items, 2 judges
}

func ExampleReadVotesFrom() {
	votes, err := fubini.ReadVotesFrom(strings.NewReader(`{"tiers":[["x","y"],["z"]]}`+"\n"), "ballots")
	check(err)
	fmt.Println(votes.Items)
	// Output: [x y z]
}

func ExampleNewVotes() {
	votes, err := fubini.NewVotes([][][]string{{{"x"}, {"y"}}, {{"y", "z"}, {"x"}}, {{"z"}, {"y"}}})
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Prior(1))
	check(err)
	fmt.Println("first:", board.Items[0].ID)
	// Output: first: z
}
