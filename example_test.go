package fubini_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"

	"fubini"
)

// kitchen has the tier lists of people with a sweet tooth, and of people without.
func kitchen() *fubini.Data {
	foods := []string{"cake", "jam", "honey", "ice cream", "fudge", "olives", "cheese", "pickles", "anchovies", "crisps"}
	lists := map[string][][]string{}
	for u := range 120 {
		sweet, savoury := foods[:5], foods[5:]
		if u%2 == 1 {
			sweet, savoury = savoury, sweet
		}
		a, b, c := u%5, (u+1)%5, (u/5)%5
		lists[fmt.Sprint("person ", u)] = [][]string{{sweet[a], sweet[b]}, {sweet[(a+2)%5]}, {savoury[c], savoury[(c+1)%5]}}
	}
	data, err := fubini.TierLists(lists)
	check(err)
	return data
}

func Example() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.For(fubini.Taste))
	check(err)
	person, err := model.Person([][]string{{"cake", "fudge"}, {"olives"}})
	check(err)
	top, err := person.Top(3)
	check(err)
	for _, pick := range top {
		fmt.Printf("%s, most probably in tier %d\n", pick.Name, pick.Odds.Tier()+1)
	}
	// Output:
	// ice cream, most probably in tier 1
	// jam, most probably in tier 1
	// honey, most probably in tier 1
}

func ExampleTrain() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.With("hidden", "4"), fubini.Seed(7))
	check(err)
	fmt.Println(model.Name, len(model.ItemIDs), "items")
	// Output: latent-osm 10 items
}

func ExampleLoad() {
	trained, err := fubini.Train(context.Background(), kitchen())
	check(err)
	path := filepath.Join(os.TempDir(), "kitchen.safetensors")
	defer os.Remove(path)
	check(trained.Save(path))
	model, err := fubini.Load(path)
	check(err)
	fmt.Println(model.Users, "people,", model.Ratings, "placements")
	// Output: 120 people, 600 placements
}

func ExamplePerson_Odds() {
	model, err := fubini.Train(context.Background(), kitchen())
	check(err)
	person, err := model.Person([][]string{{"cake", "fudge"}, {"olives"}})
	check(err)
	odds, err := person.Odds("jam")
	check(err)
	fmt.Printf("as good as cake or better: %v\n", odds.Gaps[0]+odds.Tiers[0] > 0.5)
	// Output: as good as cake or better: true
}

func ExamplePerson_Explain() {
	model, err := fubini.Train(context.Background(), kitchen())
	check(err)
	person, err := model.Person([][]string{{"cake"}, {"olives", "crisps"}})
	check(err)
	why, err := person.Explain("jam")
	check(err)
	sum := why.Taste.Base + why.Taste.Ties + why.Taste.Rest
	for _, part := range why.Taste.Placed {
		sum += part.Value
	}
	fmt.Println("the parts sum to the score:", math.Abs(sum-why.Taste.Score) < 1e-12)
	// Output: the parts sum to the score: true
}

func ExamplePerson_Embedding() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.With("hidden", "3"))
	check(err)
	person, err := model.Person([][]string{{"cake"}, {"olives"}})
	check(err)
	vector, err := person.Embedding()
	check(err)
	fmt.Println(len(vector), "numbers")
	// Output: 3 numbers
}

func ExampleOSM() {
	m := fubini.OSM([]float64{1, 0.5, 0, -1}, 0.3)
	logZ, err := m.LogZ()
	check(err)
	weight, err := m.LogWeight([][]int{{0, 1}, {2}, {3}})
	check(err)
	draws, err := m.Sample(2, 1)
	check(err)
	fmt.Printf("log Z = %.4f, log P = %.4f, draws %v\n", logZ, weight-logZ, draws)
	// Output: log Z = 6.6563, log P = -2.6063, draws [[[1] [0 2] [3]] [[0] [1 2 3]]]
}

// screenings are the ratings of 80 people for 45 of 60 films; each likes the even ones, or the odd ones.
func screenings() *fubini.Data {
	var all []fubini.Rating
	for u := range 80 {
		for k := range 45 {
			film := (7*k + u) % 60
			stars := 2 + 2*((film+u)%2) + (film+3*u)%7/6
			all = append(all, fubini.Rating{User: fmt.Sprint("u", u), Item: fmt.Sprint("film ", film), Value: float64(stars)})
		}
	}
	data, err := fubini.Ratings(all)
	check(err)
	return data
}

func ExampleEvaluate() {
	results, err := fubini.Evaluate(context.Background(), screenings(), []string{"item-mean", "latent-osm"}, fubini.Given(8))
	check(err)
	_, low, _, err := results[1].Ahead(results[0], "ndcg@5")
	check(err)
	fmt.Printf("%s is ahead of %s: %v\n", results[1].Model, results[0].Model, low > 0)
	// Output: latent-osm is ahead of item-mean: true
}

func ExampleFit() {
	var lists [][][]string
	add := func(times int, tiers ...[]string) {
		for range times {
			lists = append(lists, tiers)
		}
	}
	add(9, []string{"ada"}, []string{"bob"})
	add(4, []string{"bob"}, []string{"ada"})
	add(3, []string{"ada", "bob"})
	add(8, []string{"bob"}, []string{"cyd"})
	add(2, []string{"cyd"}, []string{"bob", "ada"})
	votes, err := fubini.NewVotes(lists)
	check(err)
	board, err := fubini.Fit(context.Background(), votes)
	check(err)
	for _, item := range board.Items {
		fmt.Printf("%d. %s: worth %.2f ± %.2f, tier %d\n", item.Rank, item.ID, item.Worth, item.StdError, item.Tier)
	}
	above, tied, below, err := board.Chances("ada", "cyd")
	check(err)
	fmt.Printf("ada against cyd: %.2f %.2f %.2f\n", above, tied, below)
	// Output:
	// 1. ada: worth 0.40 ± 0.37, tier 1
	// 2. bob: worth 0.14 ± 0.29, tier 1
	// 3. cyd: worth -0.55 ± 0.44, tier 1
	// ada against cyd: 0.60 0.17 0.23
}

func ExampleCovariate() {
	var lists [][][]string
	sugar := map[string]float64{"water": 0, "tea": 1, "juice": 9, "cola": 11}
	for k, list := range [][]string{{"cola", "juice", "tea", "water"}, {"juice", "cola", "water", "tea"}, {"tea", "juice", "cola", "water"}, {"cola", "tea", "juice", "water"}} {
		for range 20 - 4*k {
			lists = append(lists, [][]string{{list[0]}, {list[1], list[2]}, {list[3]}})
		}
	}
	votes, err := fubini.NewVotes(lists)
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Covariate("sugar", sugar))
	check(err)
	for _, c := range board.Coefficients {
		fmt.Printf("%s %.2f ± %.2f\n", c.Name, c.Value, c.StdError)
	}
	// Output:
	// nu 0.11 ± 0.14
	// sugar 0.12 ± 0.05
}

func ExampleHidden() {
	var lists [][][]string
	for k := range 90 { // two in three rank from sweet to bitter, the others the other way round
		list := []string{"cola", "juice", "tea", "coffee"}
		list[k%3], list[k%3+1] = list[k%3+1], list[k%3]
		if k/3%3 == 2 {
			slices.Reverse(list)
		}
		lists = append(lists, [][]string{{list[0]}, {list[1], list[2]}, {list[3]}})
	}
	votes, err := fubini.NewVotes(lists)
	check(err)
	board, err := fubini.Fit(context.Background(), votes, fubini.Hidden(1))
	check(err)
	for _, taste := range board.Tastes.Groups {
		fmt.Printf("%.0f votes:", taste.Raters)
		for i, item := range board.Items {
			fmt.Printf(" %s %.1f", item.ID, taste.Worths[i].Worth)
		}
		fmt.Println()
	}
	fmt.Println("one board is enough:", board.Tastes.Enough)
	// Output:
	// 60 votes: cola 1.1 juice 0.5 tea -0.5 coffee -1.1
	// 30 votes: cola -1.0 juice -0.4 tea 0.4 coffee 1.0
	// one board is enough: false
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
