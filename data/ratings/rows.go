package ratings

import (
	"slices"

	"fubini/data/rowsort"
)

// rows makes the rows of a set, sorted by item, and applies the policy to duplicates. Users has the new number of each user. A
// duplicate that is refused comes back with the old number of its user, and with its places among the ratings of that user.
func (b *Builder) rows(s *Set, users []uint32, policy Duplicates, report *Report) (user uint32, refused *DuplicateError) {
	old := make([]uint32, len(users))
	for from, to := range users {
		old[to] = uint32(from)
	}
	items := b.items.sort()
	s.items = b.items
	n := b.Len()
	s.start, s.item, s.value = make([]int, len(users)+1), make([]uint32, n+1), make([]float32, n) // order wants room for one more
	if b.when.len() > 0 {
		s.when = make([]int64, n)
	}
	sort, long := newRowSort(len(items)), b.newByBytes(items)
	end := 0 // where the next rating goes
	for u, old := range old {
		from, to := b.owners.first[old], b.owners.first[old+1]
		if long.Takes(to-from, n-end) && b.byBytes(sort, long, s, from, to, end) {
			end += to - from
			s.start[u+1] = end
			continue
		}
		places, ok := b.ordered(sort, from, to, items, s.item[end:])
		if ok {
			value := s.value[end : end+len(places)]
			if b.value.bits || b.value.numbers.widened {
				for k, place := range places {
					value[k] = b.value.at(from + int(place))
				}
			} else {
				numbers := b.value.numbers.small.span(from, to, &sort.numbers)
				for k, place := range places {
					value[k] = b.value.known[numbers[place]]
				}
			}
		} else {
			var twice *DuplicateError
			if places, twice = b.compared(sort, s, from, to, items, end, policy, report); twice != nil {
				twice.User = s.users.ID(uint32(u))
				return old, twice
			}
		}
		if s.when != nil {
			when := s.when[end : end+len(places)]
			if b.when.widened {
				for k, place := range places {
					when[k] = *b.when.large.at(from + int(place))
				}
			} else {
				times := b.when.small.span(from, to, &sort.times)
				for k, place := range places {
					when[k] = int64(times[place])
				}
			}
		}
		end += len(places)
		s.start[u+1] = end
	}
	s.item, s.value = slices.Clip(s.item[:end]), slices.Clip(s.value[:end])
	if s.when != nil {
		s.when = slices.Clip(s.when[:end])
	}
	if !slices.ContainsFunc(s.when, func(when int64) bool { return when != NoTime }) {
		s.when = nil
	}
	return 0, nil
}

// newByBytes returns nil where rows cannot be sorted by the bytes of their items.
func (b *Builder) newByBytes(items []uint32) *rowsort.Sorter {
	if b.item.widened || b.value.bits || b.value.numbers.widened || b.when.widened || len(items) > 1<<16 {
		return nil
	}
	return rowsort.New(items, b.value.known)
}

// byBytes sorts the ratings from one place to before another by the bytes of their items, to a place of the set. It is false for a row with an item
// twice, which is left to the others.
func (b *Builder) byBytes(sort *rowSort, long *rowsort.Sorter, s *Set, from, to, end int) bool {
	row, numbers := b.item.small.span(from, to, &sort.narrow), b.value.numbers.small.span(from, to, &sort.numbers)
	if s.when == nil {
		return long.Untimed(row, numbers, s.item[end:], s.value[end:])
	}
	return long.Timed(row, numbers, b.when.small.span(from, to, &sort.times), s.item[end:], s.value[end:], s.when[end:])
}

// ordered is order for the ratings from one place to before another.
func (b *Builder) ordered(sort *rowSort, from, to int, items, item []uint32) (places []uint32, ok bool) {
	if b.item.widened {
		return order(sort, b.item.large.span(from, to, &sort.wide), items, item)
	}
	return order(sort, b.item.small.span(from, to, &sort.narrow), items, item)
}

// compared sorts the ratings from one place to before another by comparing, and writes items and values to a place of the set.
func (b *Builder) compared(sort *rowSort, s *Set, from, to int, items []uint32, end int, policy Duplicates, report *Report) ([]uint32, *DuplicateError) {
	item, value := sort.item[:0], sort.value[:0]
	for n := from; n < to; n++ {
		item, value = append(item, items[b.item.at(n)]), append(value, b.value.at(n))
	}
	sort.item, sort.value = item, value
	places, twice := withoutDuplicates(item, value, sort.compared(item), policy, report)
	if twice != nil {
		twice.Item = s.items.ID(item[twice.First])
		return nil, twice
	}
	for k, place := range places {
		s.item[end+k], s.value[end+k] = item[place], value[place]
	}
	return places, nil
}

// withoutDuplicates applies the policy to the duplicates of a row: it returns the places that stay, by ascending item. The value of one may become
// a mean.
func withoutDuplicates(item []uint32, value []float32, order []uint32, policy Duplicates, report *Report) ([]uint32, *DuplicateError) {
	kept := order[:0]
	for k := 0; k < len(order); {
		pick, same := order[k], k+1
		for same < len(order) && item[order[same]] == item[pick] {
			same++
		}
		if same > k+1 {
			switch policy {
			case Refuse:
				return nil, &DuplicateError{First: int(pick), Second: int(order[k+1])}
			case KeepLast:
				pick = order[same-1]
			case KeepMean:
				var total float64
				for _, o := range order[k:same] {
					total += float64(value[o])
				}
				value[pick] = float32(total / float64(same-k))
			}
			report.Duplicates += same - k - 1
		}
		kept = append(kept, pick)
		k = same
	}
	return kept, nil
}
