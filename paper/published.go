package paper

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// publishedText has the numbers that the paper prints, by table, row and column.
//
//go:embed published.json
var publishedText []byte

var publishedTables = sync.OnceValue(func() (tables map[string]map[string]map[string]float64) {
	if err := json.Unmarshal(publishedText, &tables); err != nil {
		panic(fmt.Sprintf("paper: published.json: %v", err))
	}
	return tables
})

// published is a number of the paper; nil where it has none.
func published(table, row, column string) *float64 {
	v, there := publishedTables()[table][row][column]
	if !there {
		return nil
	}
	return &v
}
