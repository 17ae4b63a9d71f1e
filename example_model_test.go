package fubini_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fubini"
	"fubini/app/recommend"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
)

// taught is a model of the kitchen, trained once for the examples about people.
var taught = sync.OnceValue(func() *fubini.Model {
	return fubini.Must(fubini.Train(context.Background(), kitchen(), fubini.For(fubini.Taste)))
})

// both is one of the kitchen with interest beside taste.
var both = sync.OnceValue(func() *fubini.Model {
	return fubini.Must(fubini.Train(context.Background(), kitchen(), fubini.For(fubini.Balanced)))
})

func names(picks []fubini.Pick) string {
	var all []string
	for _, pick := range picks {
		all = append(all, pick.Name)
	}
	return strings.Join(all, ", ")
}

func ExampleMust() {
	model := fubini.Must(fubini.Train(context.Background(), kitchen(), fubini.Named("item-mean")))
	fmt.Println(model.Name)
	// Output: item-mean
}

func ExampleNamed() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.Named("osm"))
	check(err)
	fmt.Println(model.Name)
	_, err = fubini.Train(context.Background(), kitchen(), fubini.Named("ouija"))
	fmt.Println(err != nil)
	// Output:
	// osm
	// true
}

func ExampleWith() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.With("hidden", "2"), fubini.With("epochs", "5"))
	check(err)
	fmt.Println(model.Settings["hidden"], "hidden units")
	// Output: 2 hidden units
}

func ExampleSeed() {
	var files [][]byte
	for _, seed := range []uint64{7, 7, 8} {
		model, err := fubini.Train(context.Background(), kitchen(), fubini.With("epochs", "3"), fubini.Seed(seed))
		check(err)
		file, err := model.File()
		check(err)
		var text bytes.Buffer
		_, err = file.WriteTo(&text)
		check(err)
		files = append(files, text.Bytes())
	}
	fmt.Println(bytes.Equal(files[0], files[1]), bytes.Equal(files[0], files[2]))
	// Output: true false
}

func ExampleJobs() {
	one, err := fubini.Train(context.Background(), kitchen(), fubini.With("epochs", "3"), fubini.Jobs(1))
	check(err)
	four, err := fubini.Train(context.Background(), kitchen(), fubini.With("epochs", "3"), fubini.Jobs(4))
	check(err)
	first, err := one.Catalogue()
	check(err)
	second, err := four.Catalogue()
	check(err)
	fmt.Println("the same weights:", slices.Equal(first.W, second.W))
	// Output: the same weights: true
}

func ExampleFor() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.For(fubini.Interest)) // who placed what, whatever the tier
	check(err)
	fmt.Println(model.Name)
	// Output: interest
}

func ExampleCalibrate() {
	model, err := fubini.Train(context.Background(), kitchen(), fubini.Calibrate(0)) // odds as the model has them; faster
	check(err)
	fmt.Println("corrected:", model.Odds != nil)
	// Output: corrected: false
}

func ExampleAdjust() {
	var kept int // checkpoints, of which the last is that of the whole training
	_, err := fubini.Train(context.Background(), kitchen(), fubini.With("epochs", "6"), fubini.Calibrate(0), fubini.Adjust(func(r *fubini.TrainRequest) {
		r.SaveEvery = 2
		r.Save = func(file *modelfile.File) error {
			kept++
			return nil
		}
	}))
	check(err)
	fmt.Println(kept, "checkpoints")
	// Output: 3 checkpoints
}

func ExampleConfigure() {
	check(register())
	model, err := fubini.Train(context.Background(), kitchen(), fubini.Named("counts"), fubini.Configure(func(name string) (fubini.Recipe, error) {
		return &counts{Power: 2}, nil
	}))
	check(err)
	fmt.Println(model.Settings["power"])
	// Output: 2
}

func ExampleOnEpoch() {
	last := ""
	_, err := fubini.Train(context.Background(), kitchen(), fubini.With("epochs", "5"), fubini.Calibrate(0), fubini.OnEpoch(func(epoch, of int) { last = fmt.Sprintf("epoch %d of %d", epoch, of) }))
	check(err)
	fmt.Println(last)
	// Output: epoch 5 of 5
}

func ExampleGiven() {
	check(register())
	results, err := fubini.Evaluate(context.Background(), screenings(), []string{"counts"}, fubini.Given(5))
	check(err)
	fmt.Println(len(results[0].Users), "people, 5 ratings of each given")
	// Output: 80 people, 5 ratings of each given
}

func ExampleResult_Metric() {
	results, err := fubini.Evaluate(context.Background(), screenings(), []string{"item-mean"}, fubini.Given(5))
	check(err)
	mean, low, high, err := results[0].Metric("ndcg@10")
	check(err)
	fmt.Printf("NDCG@10 %.3f, from %.3f to %.3f\n", mean, low, high)
	// Output: NDCG@10 0.538, from 0.506 to 0.571
}

func ExampleResult_Ahead() {
	results, err := fubini.Evaluate(context.Background(), screenings(), []string{"item-mean", "osm"}, fubini.Given(5))
	check(err)
	mean, low, high, err := results[1].Ahead(results[0], "ndcg@10")
	check(err)
	fmt.Printf("osm is ahead by %.3f, from %.3f to %.3f\n", mean, low, high)
	// Output: osm is ahead by 0.017, from 0.006 to 0.028
}

func ExampleResult_String() {
	results, err := fubini.Evaluate(context.Background(), screenings(), []string{"item-mean"}, fubini.Given(5))
	check(err)
	fmt.Println(results[0])
	// Output: item-mean: NDCG@5 0.4232 (0.3846 to 0.4613), 80 users
}

func ExampleModel_Save() {
	path := filepath.Join(os.TempDir(), "saved.safetensors")
	defer os.Remove(path)
	check(taught().Save(path))
	again, err := fubini.Load(path)
	check(err)
	fmt.Println(again.Name, len(again.ItemIDs), "items")
	// Output: latent-osm 10 items
}

func ExampleOpen() {
	file, err := taught().File() // or modelfile.Read, from a database or an object store
	check(err)
	model, err := fubini.Open(file)
	check(err)
	fmt.Println(model.Name)
	// Output: latent-osm
}

func ExampleNewModel() {
	file, err := taught().File()
	check(err)
	saved, err := modelstore.Open(file) // what the packages below have of a model
	check(err)
	fmt.Println(fubini.NewModel(saved).Name)
	// Output: latent-osm
}

func ExampleModel_Person() {
	person, err := taught().Person([][]string{{"cake", "jam"}, {"olives", "caviar"}})
	check(err)
	fmt.Println("not in the model:", person.Missed)
	// Output: not in the model: [caviar]
}

func ExampleNoItemError() {
	_, err := taught().Person([][]string{{"custard"}})
	var none *fubini.NoItemError
	if errors.As(err, &none) {
		fmt.Println("no item:", none.Text)
	}
	// Output: no item: custard
}

func ExampleNoItemError_Error() {
	_, err := taught().Person([][]string{{"custard"}})
	fmt.Println(err)
	// Output: none of the 1 items is in the model: the model has no item "custard", and none with a name like it
}

func ExampleModel_PersonWith() {
	person, err := taught().PersonWith(map[string]float64{"cake": 3, "jam": 3, "olives": 1})
	check(err)
	top, err := person.Top(2)
	check(err)
	fmt.Println(names(top))
	// Output: fudge, honey
}

func ExampleModel_ReadPerson() {
	path := filepath.Join(os.TempDir(), "mine.json")
	defer os.Remove(path)
	check(os.WriteFile(path, []byte(`[["cake","jam"],["olives"]]`), 0o666))
	person, err := taught().ReadPerson(path)
	check(err)
	top, err := person.Top(2)
	check(err)
	fmt.Println(names(top))
	// Output: fudge, honey
}

func ExampleModel_Folded() {
	model := taught()
	cake, _ := model.Find("cake")
	jam, _ := model.Find("jam")
	fudge, _ := model.Find("fudge")
	known := fubini.Known{Index: -1, Known: fubini.Row{Items: []uint32{uint32(cake), uint32(jam)}, Values: []float32{2, 1}}, TiersOnly: true}
	top, err := model.Folded(known, []int{fudge}).Top(2) // they know fudge, and did not place it
	check(err)
	fmt.Println(names(top))
	// Output: ice cream, honey
}

func ExamplePerson_Top() {
	person, err := taught().Person([][]string{{"olives", "crisps"}, {"cake"}})
	check(err)
	top, err := person.Top(3, fubini.Without("anchovies"), fubini.Support(10))
	check(err)
	fmt.Println(names(top))
	// Output: pickles, cheese, fudge
}

func ExampleWithout() {
	person, err := taught().Person([][]string{{"olives", "crisps"}, {"cake"}})
	check(err)
	top, err := person.Top(2, fubini.Without("cheese"))
	check(err)
	fmt.Println(names(top))
	// Output: anchovies, pickles
}

func ExampleAmong() {
	person, err := taught().Person([][]string{{"olives", "crisps"}, {"cake"}})
	check(err)
	top, err := person.Top(10, fubini.Among("jam", "cheese"))
	check(err)
	fmt.Println(names(top))
	// Output: cheese, jam
}

func ExampleBy() {
	person, err := both().Person([][]string{{"olives"}, {"crisps"}, {"cake"}})
	check(err)
	top, err := person.Top(1, fubini.By(fubini.Interest))
	check(err)
	fmt.Printf("%s, which they would pick with a probability of %.1f\n", top[0].Name, top[0].Interest)
	// Output: cheese, which they would pick with a probability of 0.4
}

func ExampleNovelty() {
	person, err := taught().Person([][]string{{"olives"}, {"cake"}})
	check(err)
	plain, err := person.Top(1)
	check(err)
	novel, err := person.Top(1, fubini.Novelty(1), fubini.Among(plain[0].ID))
	check(err)
	i, _ := taught().Find(plain[0].ID)
	fmt.Println("less the log of its ratings:", math.Abs(plain[0].Score-novel[0].Score-math.Log(1+float64(taught().Seen[i]))) < 1e-12)
	// Output: less the log of its ratings: true
}

func ExampleSupport() {
	person, err := taught().Person([][]string{{"olives"}, {"cake"}})
	check(err)
	top, err := person.Top(10, fubini.Support(1000)) // nothing was placed so often
	check(err)
	fmt.Println(len(top))
	// Output: 0
}

func ExamplePerson_ExplainItem() {
	model := taught()
	person, err := model.Person([][]string{{"cake"}, {"olives"}})
	check(err)
	jam, _ := model.Find("jam")
	why, err := person.ExplainItem(jam)
	check(err)
	fmt.Println("moved most by", why.Taste.Placed[0].Name)
	// Output: moved most by cake
}

func ExamplePerson_Recommender() {
	person, err := taught().Person([][]string{{"cake"}, {"olives"}})
	check(err)
	by, err := person.Recommender(recommend.Rules{Count: 3, Support: 10}) // without odds, which take most of the time
	check(err)
	rows, err := person.Rank(context.Background(), by)
	check(err)
	fmt.Println(len(rows), "rows, with odds:", rows[0].Odds != nil)
	// Output: 3 rows, with odds: false
}

func ExamplePerson_Rank() {
	model := taught()
	person, err := model.Person([][]string{{"cake"}, {"olives"}})
	check(err)
	by, err := person.Recommender(recommend.Defaults())
	check(err)
	rows, err := person.Rank(context.Background(), by)
	check(err)
	fmt.Println(rows[0].Rank, model.ItemNames[rows[0].Item])
	// Output: 1 fudge
}
