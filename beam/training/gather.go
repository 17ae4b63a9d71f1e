package training

import (
	"fmt"

	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/data/ratings"
	"fubini/learn/distributed"
)

// GatherFn makes a part of all that was said by the users of a shard, and counts them.
type GatherFn struct {
	Duplicates string
	Longest    int // from which training looks at parts of lists
}

// ProcessElement gathers one shard.
func (f *GatherFn) ProcessElement(number int, values func(*[]byte) bool, parts func(int, []byte), counts func(Message)) error {
	all, err := people.Collect(values)
	if err != nil {
		return job.Fail(err)
	}
	policy, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return job.Fail(err)
	}
	set, err := setOf(all, policy)
	if err != nil {
		return job.Fail(err)
	}
	var s shard
	for u := range set.Users().Len() {
		s.Users = append(s.Users, people.Append(nil, fragmentOf(set, u)))
	}
	parts(number, pack(s))
	counts(Message{All: distributed.NewCensus(number, set, f.Longest)})
	return nil
}

// setOf makes a set of what people said, as reading a file whole does.
func setOf(all []people.Fragment, policy ratings.Duplicates) (*ratings.Set, error) {
	b := ratings.NewBuilder()
	for _, one := range all {
		for k, id := range one.Items {
			if err := b.Add([]byte(one.ID), id, one.Values[k], ratings.NoTime); err != nil {
				return nil, fmt.Errorf("user %.40q: %w", one.ID, err)
			}
		}
	}
	set, _, err := b.Build(policy)
	return set, err
}

// fragmentOf is all that a user of a set said.
func fragmentOf(set *ratings.Set, u int) *people.Fragment {
	row := set.Row(u)
	one := &people.Fragment{Rated: true}
	one.ID = set.Users().ID(uint32(u))
	for k, i := range row.Items {
		one.Items = append(one.Items, []byte(set.Items().ID(i)))
		one.Values = append(one.Values, row.Values[k])
		one.Lines = append(one.Lines, 0)
	}
	return one
}
