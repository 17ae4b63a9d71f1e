package ratings

import "slices"

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
	s.start, s.item, s.value = make([]int, len(users)+1), make([]uint32, n), make([]float32, n)
	if b.when.len() > 0 {
		s.when = make([]int64, n)
	}
	sort := newRowSort(len(items))
	var row struct {
		item, number []uint32 // number: those of values
		value        []float32
		when         []int64
	}
	end := 0 // where the next rating goes
	for u, old := range old {
		from, to := b.owners.first[old], b.owners.first[old+1]
		row.item, row.number, row.value = b.item.read(row.item[:0], from, to), b.value.numbers.read(row.number[:0], from, to), row.value[:0]
		for _, n := range row.number {
			row.value = append(row.value, b.value.value(n))
		}
		for k, i := range row.item {
			row.item[k] = items[i]
		}
		if s.when != nil {
			row.when = b.when.read(row.when[:0], from, to)
		}
		order, distinct := sort.order(row.item)
		if !distinct {
			var twice *DuplicateError
			if order, twice = settle(row.item, row.value, order, policy, report); twice != nil {
				twice.User, twice.Item = s.users.ID(uint32(u)), s.items.ID(row.item[twice.First])
				return old, twice
			}
		}
		item, value := s.item[end:end+len(order)], s.value[end:end+len(order)]
		for k, from := range order {
			item[k], value[k] = row.item[from], row.value[from]
		}
		if s.when != nil {
			when := s.when[end : end+len(order)]
			for k, from := range order {
				when[k] = row.when[from]
			}
		}
		end += len(order)
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

// settle applies the policy to the duplicates of a row: it returns the places that stay, by ascending item. The value of one may become
// a mean.
func settle(item []uint32, value []float32, order []uint32, policy Duplicates, report *Report) ([]uint32, *DuplicateError) {
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
