package votes

import "fmt"

// FromTiers makes votes of tier lists in memory, best tier first, each of weight 1. An empty tier does not count.
func FromTiers(lists [][][]string) (*Set, error) {
	b := newBuilder(Options{})
	b.Counts.Form = "tiers"
	b.errorAt = func(line int, format string, args ...any) error {
		return fmt.Errorf("vote %d: %w", line, fmt.Errorf(format, args...))
	}
	for k, tiers := range lists {
		b.begin(k + 1)
		tier := int32(0)
		for _, items := range tiers {
			for _, id := range items {
				if err := b.place([]byte(id), tier); err != nil {
					return nil, err
				}
			}
			if len(items) > 0 {
				tier++
			}
		}
		if b.keeps(1) {
			b.end(1)
		}
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("no votes among %d lists: a vote has two items or more", len(lists))
	}
	return &b.Set, nil
}
