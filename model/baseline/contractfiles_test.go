package baseline_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"fubini/data/modelfile"
	"fubini/model"
	"fubini/model/baseline/planted"
)

// stored writes a model to bytes and reads them again.
func stored(t testing.TB, m model.Model) *modelfile.File {
	t.Helper()
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	var buffer bytes.Buffer
	if _, err := f.WriteTo(&buffer); err != nil {
		t.Fatal(err)
	}
	read, err := modelfile.Read(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestContractSavesAndLoads(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		m := fitKind(t, k, set, model.Run{Seed: 1}, quickSettings)
		file := stored(t, m)
		loaded, err := k.New().Load(file, planted.Items)
		if err != nil {
			t.Fatal(err)
		}
		for u := range strangers {
			stranger := model.Person{Index: -1, Known: set.Row(u)}
			want := scoresFor(t, m, planted.Items, stranger)
			if got := scoresFor(t, loaded, planted.Items, stranger); !slices.Equal(got, want) {
				t.Fatalf("somebody like user %d has scores %v, after loading %v", u, want, got)
			}
			if got := scoresFor(t, loaded, planted.Items, model.Person{Index: u, Known: set.Row(u)}); !slices.Equal(got, want) {
				t.Fatalf("a loaded model knows user %d", u)
			}
		}
		if stored(t, loaded).Checksum() != file.Checksum() {
			t.Error("loaded and saved again, the file differs")
		}
	})
}

// damage is what is done to one tensor of a file.
type damage int

const (
	missing   damage = iota
	shortened        // of its last element
	deeper           // with one more dimension
)

func TestContractDamagedFiles(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		whole := stored(t, fitKind(t, k, set, model.Run{Seed: 1}, quickSettings))
		refused := func(what string, f *modelfile.File, items int) {
			t.Helper()
			if _, err := k.New().Load(f, items); err == nil {
				t.Errorf("%s: no error", what)
			}
		}
		refused("an empty file", modelfile.New(), planted.Items)
		refused("a catalogue of one item more", whole, planted.Items+1)
		refused("a catalogue of one item less", whole, planted.Items-1)
		for _, tensor := range whole.Tensors() {
			refused("without tensor "+tensor.Name, damaged(t, whole, tensor.Name, missing), planted.Items)
			refused("tensor "+tensor.Name+" without its last element", damaged(t, whole, tensor.Name, shortened), planted.Items)
			refused("tensor "+tensor.Name+" with one more dimension", damaged(t, whole, tensor.Name, deeper), planted.Items)
		}
		// Nonsense in the model's own metadata must not panic, nor give scores that are
		// no numbers.
		for key := range whole.Metadata {
			for _, nonsense := range []string{"", "{}", "null", "[1]", "7"} {
				f := damaged(t, whole, "", missing)
				f.Metadata[key] = nonsense
				if m, err := k.New().Load(f, planted.Items); err == nil {
					scoresFor(t, m, planted.Items, model.Person{Index: -1, Known: set.Row(0)})
				}
			}
			f := damaged(t, whole, "", missing)
			delete(f.Metadata, key)
			refused("without "+key, f, planted.Items)
		}
	})
}

// damaged is a copy of a file with one tensor damaged.
func damaged(t testing.TB, whole *modelfile.File, name string, how damage) *modelfile.File {
	t.Helper()
	f := modelfile.New()
	maps.Copy(f.Metadata, whole.Metadata)
	for _, tensor := range whole.Tensors() {
		if tensor.Name == name && how == missing {
			continue
		}
		what := missing // nothing to do
		if tensor.Name == name {
			what = how
		}
		switch tensor.Type.String() {
		case "float64":
			copyTensor[float64](t, f, whole, tensor, what)
		case "float32":
			copyTensor[float32](t, f, whole, tensor, what)
		case "uint64":
			copyTensor[uint64](t, f, whole, tensor, what)
		case "int64":
			copyTensor[int64](t, f, whole, tensor, what)
		case "uint32":
			copyTensor[uint32](t, f, whole, tensor, what)
		case "int32":
			copyTensor[int32](t, f, whole, tensor, what)
		case "uint8":
			copyTensor[uint8](t, f, whole, tensor, what)
		default:
			t.Fatalf("tensor %s is %v, which this test cannot copy", tensor.Name, tensor.Type)
		}
	}
	return f
}

func copyTensor[T modelfile.Element](t testing.TB, to, from *modelfile.File, tensor modelfile.Tensor, how damage) {
	t.Helper()
	data, err := modelfile.Get[T](from, tensor.Name)
	if err != nil {
		t.Fatal(err)
	}
	shape := slices.Clone(tensor.Shape)
	switch how {
	case shortened:
		data = data[:max(0, len(data)-1)]
		shape = []int{len(data)}
	case deeper:
		shape = append(shape, 1)
	}
	modelfile.Set(to, tensor.Name, data, shape...)
}
