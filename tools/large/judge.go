package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"fubini"
	"fubini/data/format"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
)

// quality is how well the ratings that were held back are ranked, the mean over users of NDCG@10.
type quality struct {
	users                    int
	model, itemMeans, values ndcg
}

// ndcg is a mean with its standard error.
type ndcg struct{ mean, stdErr float64 }

// judge ranks the ratings held back from each user by a model, which is told the user's other ratings, by the means of items,
// and by the values that the user would have given without noise.
func judge(path, people string, written *made) (*quality, error) {
	model, err := fubini.Load(path)
	if err != nil {
		return nil, err
	}
	set, _, err := format.Read(os.DirFS(filepath.Dir(people)), filepath.Base(people), format.Options{})
	if err != nil {
		return nil, err
	}
	var all float64
	for _, v := range written.sum {
		all += v / float64(written.ratings)
	}
	of := map[string][]held{}
	for _, h := range written.back {
		id := strconv.Itoa(h.user)
		of[id] = append(of[id], h)
	}
	var byModel, byMeans, byValues []float64
	for u := range set.Users().Len() {
		own := of[set.Users().ID(uint32(u))]
		if own == nil {
			continue
		}
		person, _ := model.Saved.Person(set, u)
		var items []uint32
		var levels, means, values []float64
		for _, h := range own {
			at, known := model.Find(strconv.Itoa(h.item))
			if !known { // all its ratings were held back
				continue
			}
			items = append(items, uint32(at))
			levels = append(levels, float64(h.value))
			means = append(means, (written.sum[h.item-1]+5*all)/(written.counts[h.item-1]+5))
			values = append(values, float64(h.own))
		}
		scores := make([]float64, len(items))
		model.Score(person, items, scores)
		for _, each := range []struct {
			to     *[]float64
			scores []float64
		}{{&byModel, scores}, {&byMeans, means}, {&byValues, values}} {
			ranking, err := metric.Rank(each.scores, levels)
			if err != nil {
				return nil, err
			}
			*each.to = append(*each.to, ranking.NDCG(10, metric.Exp2))
		}
	}
	q := &quality{users: len(byModel)}
	for _, each := range []struct {
		to     *ndcg
		values []float64
	}{{&q.model, byModel}, {&q.itemMeans, byMeans}, {&q.values, byValues}} {
		each.to.mean, each.to.stdErr = evaluate.MeanError(each.values)
	}
	return q, nil
}

func (q *quality) write(w io.Writer) error {
	_, err := fmt.Fprintf(w, `
NDCG@10 of %d ratings held back from each of %d users, ranked by what is in the first column:

| | NDCG@10 | standard error |
|---|---:|---:|
| the model | %.4f | %.4f |
| mean ratings of items | %.4f | %.4f |
| the values before noise was added | %.4f | %.4f |
`, heldEach, q.users, q.model.mean, q.model.stdErr, q.itemMeans.mean, q.itemMeans.stdErr, q.values.mean, q.values.stdErr)
	return err
}
