package osm

import "fubini/data/ratings"

// ListOf is the list that a person's ratings make: items of one rating share a tier. It is empty without ratings.
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

// ListsOf returns the tier lists of all users of a set with two ratings or more; one rating has no order.
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
