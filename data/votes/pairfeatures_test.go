package votes

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A feature of a tie is the same from either side, one of an order is that of the row alone, and what a table does not have is 0.
func TestPairFeatures(t *testing.T) {
	text := "item_a,item_b,tie_near,order_lead\nx,y,0.5,2\ny,x,0.5,-1\nz,x,3,4\nw,x,9,9\n"
	features, others, err := PairFeatures(strings.NewReader(text), "file", []string{"x", "y", "z"})
	if err != nil {
		t.Fatal(err)
	}
	if others != 1 || len(features) != 2 || features[0].Name != "near" || features[0].Order || features[1].Name != "lead" || !features[1].Order {
		t.Fatalf("%d others, %+v", others, features)
	}
	if want := []float64{0, 0.5, 3, 0.5, 0, 0, 3, 0, 0}; !slices.Equal(features[0].Values, want) {
		t.Errorf("ties %v", features[0].Values)
	}
	if want := []float64{0, 2, 0, -1, 0, 0, 4, 0, 0}; !slices.Equal(features[1].Values, want) {
		t.Errorf("orders %v", features[1].Values)
	}
}

func TestBadPairFeatures(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "no header",
		"item_a,item_b\nx,y\n":                    "columns named tie_NAME or order_NAME",
		"item_a,tie_f\nx,1\n":                     "needs item_a and item_b",
		"item_a,item_b,f\nx,y,1\n":                `column "f"`,
		"item_a,item_b,tie_\nx,y,1\n":             `column "tie_"`,
		"item_a,item_b,tie_f\nx,x,1\n":            ":2: item \"x\" with itself",
		"item_a,item_b,tie_f\nx,y,1\nx,y,1\n":     ":3: \"x\" and \"y\" are there twice",
		"item_a,item_b,tie_f\nx,y,1\ny,x,2\n":     ":3: tie_f of \"y\" and \"x\" is 2, and 1 the other way round",
		"item_a,item_b,order_f\nx,y,inf\n":        ":2: order_f is \"inf\"",
		"item_a,item_b,order_f\nx,y\n":            "wrong number of fields",
		"item_a,item_b,item_b,order_f\nx,y,y,1\n": "item_b once",
	} {
		if _, _, err := PairFeatures(strings.NewReader(text), "file", []string{"x", "y"}); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
