// Results writes the page that shows all results at once, docs/results.md, with its two pictures, from the tables of
// docs/quality.md and docs/catalogue.md:
//
//	go run -C tools ./results
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files, err := results("../docs")
	if err == nil {
		for name, text := range files {
			if err = os.WriteFile(filepath.Join("../docs", name), []byte(text), 0o644); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

// results returns the page and its pictures by their paths in the folder of documents.
func results(docs string) (map[string]string, error) {
	files := map[string]string{}
	var page strings.Builder
	page.WriteString(`# Results at a glance

Where latent-osm, the model that this project is about, stands beside all others, on every set of ratings of the two leagues. The tables behind the pictures, how they were made, and what was tried: [the order of rated items](quality.md),
[whole catalogues](catalogue.md). This page is made of them by ` + "`go run -C tools ./results`" + `. The tables that it is made of are of one build, which they name.

*Ahead* and *behind*: the 95 % interval of the difference to the best of the others leaves out 0 (and the difference remains after the correction for the number of models, in tables that have one). *Not told apart*: it does not. In the pictures our model is the red line, and a model to the left of it has a lower mean. The filled point is the best of the others, with its interval; an arrow counts models that are further behind than the picture shows.
`)
	for _, part := range []struct {
		file, measure, ahead, title, picture, what string
		level                                      int
	}{
		{"quality.md", "NDCG@5", "in NDCG@5", "The order of items that people rated", "results-rated.svg", "NDCG@5 of held-out ratings, N ratings of a person given; ours and the others have their defaults, and Bayesian SVD++ (myfm-presence-tuned) settings chosen for it.", 3},
		{"catalogue.md", "NDCG@10", "ours ahead in NDCG@10", "What to show first, of a whole catalogue", "results-catalogue.svg", "NDCG@10 over all items that a person has not seen; the others are tuned, ours has its defaults. [More splits](catalogue-splits.md) have known users of MovieTweetings ahead, and its last rating not told apart from a baseline that uses times too, which is not in the league there.", 2},
	} {
		text, err := os.ReadFile(filepath.Join(docs, part.file))
		if err != nil {
			return nil, err
		}
		tables, err := readTables(string(text), part.level, part.measure, part.ahead)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.file, err)
		}
		tables = complete(tables)
		if len(tables) == 0 {
			return nil, fmt.Errorf("%s has no table with %s and %q", part.file, part.measure, part.ahead)
		}
		files["pictures/"+part.picture] = drawStrips(tables, part.measure)
		fmt.Fprintf(&page, "\n## %s\n\n%s %s\n\n![%s of every model, by data](pictures/%s)\n\n", part.title, part.what, sentence(tables), part.measure, part.picture)
		page.WriteString("| data | | ours | best of the others | ours ahead | |\n|---|---|---:|---|---:|---|\n")
		for _, t := range tables {
			ours, _ := t.model()
			best, _ := t.best()
			fmt.Fprintf(&page, "| %s | %s | %.4f | %s, %.4f | %+.4f (%+.4f to %+.4f) | %s |\n", t.Data, t.Task, ours.Value, best.Model, best.Value, best.Ahead.Mean, best.Ahead.Low, best.Ahead.High, t.standing())
		}
	}
	files["results.md"] = page.String()
	return files, nil
}

// complete keeps the first table of each data set and task that has our model and another: further ones compare one setting with another.
func complete(tables []Table) []Table {
	var kept []Table
	seen := map[string]bool{}
	for _, t := range tables {
		_, ours := t.model()
		_, other := t.best()
		if key := t.Data + "\n" + t.Task; ours && other && !seen[key] {
			seen[key] = true
			kept = append(kept, t)
		}
	}
	return kept
}

// sentence counts how our model stands.
func sentence(tables []Table) string {
	var counts = map[string]int{}
	for _, t := range tables {
		counts[t.standing()]++
	}
	return fmt.Sprintf("Of %d tables latent-osm is ahead of every other model in %d, not told apart from the best in %d, and behind in %d.", len(tables), counts["ahead"], counts["not told apart"], counts["behind"])
}
