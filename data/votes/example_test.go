package votes_test

import (
	"fmt"
	"strings"

	"fubini/data/votes"
)

func Example() {
	table := `model_a,model_b,winner,votes
gpt,llama,model_a,12
gpt,llama,tie,5
llama,vicuna,llama,7
gpt,vicuna,tie (bothbad),2
`
	s, err := votes.ReadStream(strings.NewReader(table), "arena.csv", votes.Options{DropBothBad: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for v := range s.Len() {
		items, tiers := s.At(v)
		fmt.Println(s.Name(int(items[0])), s.Name(int(items[1])), tiers, s.Weight[v])
	}
	fmt.Println(s.Counts.Weight, "votes,", s.Counts.Ties, "of them ties;", s.Counts.Dropped[votes.BothBad].Weight, "left out:", votes.BothBad)

	_, err = votes.ReadStream(strings.NewReader("model_a,model_b,winner\ngpt,llama,vicuna\n"), "arena.csv", votes.Options{})
	fmt.Println(err)
	// Output:
	// gpt llama [0 1] 12
	// gpt llama [0 0] 5
	// llama vicuna [0 1] 7
	// 24 votes, 5 of them ties; 2 left out: a tie of two bad ones
	// arena.csv:2: winner "vicuna" is neither "gpt" nor "llama", which were compared; write one of these names, model_a, model_b or tie
}
