package server_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The limits stand in three places: in the document, in what the server refuses, and in
// the page, which refuses a file that the server would not take. Here they meet.
func TestOneSetOfLimits(t *testing.T) {
	s := start(t, nil)
	d := openAPI(t, s)
	ranked := d.resolve(d.Paths["/v1/recommend"]["post"].RequestBody.Content["application/json"].Schema)["properties"].(map[string]any)["tiers"].(map[string]any)
	list := d.resolve(d.Paths["/v1/lists/{id}"]["put"].RequestBody.Content["application/json"].Schema)["properties"].(map[string]any)["tiers"].(map[string]any)
	inList := d.resolve(list["items"].(map[string]any))["properties"].(map[string]any)["items"].(map[string]any)
	tiers, placed := int(ranked["maxItems"].(float64)), int(ranked["items"].(map[string]any)["maxItems"].(float64))
	if int(list["maxItems"].(float64)) != tiers || int(inList["maxItems"].(float64)) != placed {
		t.Errorf("a saved list may have %v tiers of %v items, a ranked one %d of %d", list["maxItems"], inList["maxItems"], tiers, placed)
	}
	most := `[` + strings.Repeat(`[],`, tiers-1) + manyItems(placed) + `]`
	if got := s.ask("POST", "/v1/recommend", `{"tiers":`+most+`}`); got.status != 200 {
		t.Errorf("the largest list is answered %d: %.200s", got.status, got.text)
	}
	source, err := os.ReadFile("../web/src/logic/tiersfile.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]int{"mostRows": placed, "mostTiers": tiers} {
		found := regexp.MustCompile(`const ` + name + ` = ([0-9_]+);`).FindSubmatch(source)
		if found == nil {
			t.Fatalf("the page has no %s", name)
		}
		if number, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), "_", "")); err != nil || number > limit {
			t.Errorf("the page takes %s of %s, the server %d", name, found[1], limit)
		}
	}
}
