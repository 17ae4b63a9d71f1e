package modelfile_test

import (
	"bytes"
	"fmt"

	"fubini/data/modelfile"
)

func Example() {
	f := modelfile.New()
	f.Metadata[modelfile.KeyModel] = "osm"
	f.SetJSON(modelfile.KeySeed, 7)
	f.SetStrings(modelfile.ItemIDs, []string{"alien", "brazil", "amélie"})
	modelfile.Set(f, "worth", []float64{0.5, -1, 0.25})
	modelfile.Set(f, "W", []float32{1, 2, 3, 4, 5, 6}, 3, 2)

	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}

	g, err := modelfile.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, _ := g.Strings(modelfile.ItemIDs, -1)
	worth, _ := modelfile.Get[float64](g, "worth", len(ids))
	fmt.Println(g.Metadata[modelfile.KeyModel], ids, worth)

	_, err = modelfile.Get[float32](g, "W", len(ids), 5)
	fmt.Println(err)

	file.Bytes()[file.Len()-1] ^= 1
	_, err = modelfile.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	fmt.Println(err)
	// Output:
	// osm [alien brazil amélie] [0.5 -1 0.25]
	// modelfile: tensor "W" is float32 [3 × 2], expected float32 [3 × 5]
	// modelfile: damaged or edited: the content does not have the checksum in its metadata (sha256)
}
