package osm

import (
	"fmt"

	"fubini/core/partition"
	"fubini/data/ratings"
)

// ListOf returns the tier list of one user's ratings: items with equal ratings are tied.
// Without ratings it is empty.
func ListOf(row ratings.Row) (List, error) {
	if row.Len() == 0 {
		return List{}, nil
	}
	order, err := ratings.Order(row)
	if err != nil {
		return List{}, err
	}
	items := make([]int, row.Len())
	for k, i := range row.Items {
		items[k] = int(i)
	}
	return List{Items: items, Order: order}, nil
}

// ListsOf returns the tier lists of all users with at least two ratings; a single rating has no
// order.
func ListsOf(set *ratings.Set) ([]List, error) {
	var lists []List
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue
		}
		list, err := ListOf(row)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// Part returns the list restricted to the items at these places in Items, in the same order.
func (l List) Part(places []int) List {
	all := l.Order.Levels()
	items, levels := make([]int, len(places)), make([]int, len(places))
	for k, place := range places {
		items[k], levels[k] = l.Items[place], all[place]
	}
	order, err := partition.FromLevels(levels)
	if err != nil {
		panic(fmt.Sprintf("osm: %v", err)) // a part without items
	}
	return List{Items: items, Order: order}
}
