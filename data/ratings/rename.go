package ratings

// Renamed returns the ratings with other ids of items, and the number of ratings left out: those of items without an id, which is empty,
// do not count; of two items of a user that have one id now the first counts. Items that keep their ids keep their titles.
func (s *Set) Renamed(id func(item uint32) string) (renamed *Set, twice int) {
	ids, b := make([]string, s.items.Len()), NewBuilder()
	for i := range ids {
		ids[i] = id(uint32(i))
		if title, known := s.items.names[uint32(i)]; known && ids[i] == s.items.ids[i] {
			b.Title(ids[i], title)
		}
	}
	for u := range s.users.Len() {
		row, user := s.Row(u), []byte(s.users.ID(uint32(u)))
		for k, i := range row.Items {
			if ids[i] == "" {
				continue
			}
			when := int64(NoTime)
			if row.Times != nil {
				when = row.Times[k]
			}
			if err := b.Add(user, []byte(ids[i]), row.Values[k], when); err != nil {
				panic(err) // ratings of a set are finite and have users
			}
		}
	}
	for user, items := range s.unplaced {
		for _, item := range items {
			to := item
			if i, known := s.items.Find(item); known {
				to = ids[i]
			}
			if to != "" {
				b.Aside([]byte(user), []byte(to))
			}
		}
	}
	renamed, report, err := b.Build(KeepFirst)
	if err != nil {
		panic(err) // only duplicates are refused
	}
	renamed.names, renamed.own = s.names, s.own
	return renamed, report.Duplicates
}
