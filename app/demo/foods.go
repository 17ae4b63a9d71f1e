package demo

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// The planted tastes, one hidden unit each, in the order of the last columns of foods.csv.
const (
	sweet   = iota // a sweet tooth: cakes, chocolate, fruit
	hot            // likes it hot: chillies, curries
	sea            // fish and what lives in shells
	meat           // roasts and smoke
	green          // light and fresh: leaves, pulses, fruit
	umami          // broth, noodles and rice of East Asia
	comfort        // cheese, dough and what comes from the fryer
	strong         // bitter, sour, fermented
	tastes
)

// weights is how much each taste lifts a food in the lists of those who have it.
type weights [tastes]float64

// food is a line of the table: worth is what everybody thinks of it, fame how often it was tried, from 1 to 10.
type food struct {
	Item
	worth, fame float64
	weights
}

// foodTable is the catalogue as CSV. A bar in a name is where a long word may break.
//
//go:embed foods.csv
var foodTable string

var tasteNames, foods = readFoods()

func readFoods() (names []string, foods []food) {
	rows, err := csv.NewReader(strings.NewReader(foodTable)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("demo: foods.csv: %v", err))
	}
	for _, row := range rows[1:] {
		numbers := make([]float64, len(row)-4)
		for k, text := range row[4:] {
			if text == "" {
				continue // a taste that does not matter here
			}
			if numbers[k], err = strconv.ParseFloat(text, 64); err != nil {
				panic(fmt.Sprintf("demo: foods.csv: %s: %v", row[0], err))
			}
		}
		item := Item{ID: row[0], Name: strings.ReplaceAll(row[1], "|", "\u00ad"), Emoji: row[2], Group: row[3]}
		foods = append(foods, food{item, numbers[0], numbers[1], weights(numbers[2:])})
	}
	return rows[0][6:], foods
}
