package osm

import (
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
