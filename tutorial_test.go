package fubini_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fubini"
)

// The lines of code on the page of the package run, on a small world of films: each stands in TestTutorial too.
func TestTutorialIsThatOfThePage(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("tutorial_test.go")
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for line := range strings.Lines(string(own)) {
		ran[strings.TrimSpace(line)] = true
	}
	lines := regexp.MustCompile(`(?m)^//\t(.*?)(\s+// .*)?$`).FindAllStringSubmatch(string(page), -1)
	if len(lines) < 15 {
		t.Errorf("%d lines of code in doc.go", len(lines))
	}
	for _, line := range lines {
		if !ran[line[1]] {
			t.Errorf("doc.go has the line\n%s\nwhich tutorial_test.go does not run", line[1])
		}
	}
}

func TestTutorial(t *testing.T) {
	t.Chdir(t.TempDir())
	ratings, duels := "user,item,rating\n", "model_a,model_b,winner\n"
	films := []string{"Alien", "Titanic", "Heat", "Alien 3"}
	for k := len(films); k < 60; k++ {
		films = append(films, fmt.Sprint("film ", k))
	}
	for u := range 80 {
		for k := range 45 {
			i := (7*k + u) % len(films)
			ratings += fmt.Sprintf("u%d,%s,%d\n", u, films[i], 2+2*((i+u)%2)+(i+3*u)%7/6)
		}
		duels += fmt.Sprintf("%s,%s,%s\n", films[u%3], films[(u+1)%3], []string{"model_a", "model_b", "tie", "model_a"}[u%4])
	}
	check(os.WriteFile("ratings.csv", []byte(ratings), 0o666))
	check(os.WriteFile("votes.csv", []byte(duels), 0o666))
	ctx := context.Background()

	data, err := fubini.ReadData("ratings.csv")
	check(err)
	{
		model, err := fubini.Train(ctx, data)
		check(err)
		err = model.Save("model.safetensors")
		check(err)
		person, err := model.Person([][]string{{"Alien"}, {"Titanic"}})
		check(err)
		{
			top, err := person.Top(10)
			check(err)
			if len(top) != 10 || len(top[0].Odds.Tiers) != 2 || len(top[0].Odds.Gaps) != 3 {
				t.Errorf("ten items with odds of two tiers: %+v", top)
			}
		}
		odds, err := person.Odds("Heat")
		check(err)
		why, err := person.Explain("Heat")
		check(err)
		if sum := odds.Tiers[0] + odds.Tiers[1] + odds.Gaps[0] + odds.Gaps[1] + odds.Gaps[2]; !(sum > 1-1e-9 && sum < 1+1e-9) || len(why.Taste.Placed) != 2 {
			t.Errorf("odds %+v, explanation %+v", odds, why.Taste)
		}
		top, err := person.Top(10, fubini.Without("Alien 3"), fubini.Support(50))
		check(err)
		for _, pick := range top {
			if pick.Name == "Alien 3" {
				t.Errorf("it is left out, and there: %+v", pick)
			}
		}
	}
	{
		votes, err := fubini.ReadVotes("votes.csv")
		check(err)
		board, err := fubini.Fit(ctx, votes)
		check(err)
		best := board.Items[0]
		if best.Rank != 1 || best.ID == "" || best.RankLow > best.RankHigh || !(best.StdError > 0) || best.Tier != 1 {
			t.Errorf("the best item is %+v", best)
		}
	}
	{
		model, err := fubini.Train(ctx, data, fubini.Named("pmf"), fubini.With("hidden", "20"), fubini.Seed(7))
		check(err)
		if model.Name != "pmf" {
			t.Errorf("trained %s", model.Name)
		}
		results, err := fubini.Evaluate(ctx, data, []string{"item-mean", "pmf", "latent-osm"}, fubini.Given(10))
		check(err)
		mean, low, high, err := results[0].Metric("ndcg@5")
		check(err)
		if !(low <= mean && mean <= high && low > 0 && high <= 1) {
			t.Errorf("%s: %g from %g to %g", results[0].Model, mean, low, high)
		}
	}
	{
		data, err := fubini.Ratings([]fubini.Rating{{User: "ann", Item: "Alien", Value: 5}, {User: "ann", Item: "Heat", Value: 3}})
		check(err)
		if data.Len() != 2 {
			t.Errorf("%d ratings", data.Len())
		}
		data, err = fubini.TierLists(map[string][][]string{"ann": {{"Alien"}, {"Heat", "Titanic"}}})
		check(err)
		votes, err := fubini.NewVotes([][][]string{{{"x"}, {"y"}}, {{"x", "y"}}})
		check(err)
		if data.Len() != 3 || len(votes.Items) != 2 {
			t.Errorf("%d placements, votes on %v", data.Len(), votes.Items)
		}
	}
	type recipe = counts
	if !slices.Contains(fubini.Names(), "mine") {
		err := fubini.Register("mine", func() fubini.Recipe { return &recipe{} })
		check(err)
	}
	m := fubini.OSM([]float64{1, 0.5, 0, -1}, 0.3)
	logZ, err := m.LogZ()
	check(err)
	draws, err := m.Sample(3, 1)
	check(err)
	if !(logZ > 6.6562 && logZ < 6.6563) || len(draws) != 3 { // docs of the command logz: 6.656285877113945
		t.Errorf("log Z %g, draws %v", logZ, draws)
	}
}
