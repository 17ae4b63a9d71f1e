package marks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Places are those that the plain twin finds, whether marks are few or many.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, blocks := range []int{0, 1, 2, 32, 1023} {
		for few := range 8 { // the share of marks is 1, 1/2, 1/4 and so on, and none
			words := make([]uint64, blocks)
			for k := range words {
				words[k] = ^uint64(0)
				for range few {
					words[k] &= r.Uint64()
				}
				if few == 7 {
					words[k] = 0
				}
			}
			got, want := make([]uint16, blocks*Block+Behind+1), make([]uint16, blocks*Block+Behind+1)
			ranks, wantRanks := make([]uint16, blocks+1), make([]uint16, blocks+1)
			const before = 7
			got[len(got)-1], ranks[blocks] = before, before
			Places(words, got, ranks)
			if got[len(got)-1] != before || ranks[blocks] != before {
				t.Fatal("what is behind the room is written")
			}
			if blocks == 0 {
				continue
			}
			placesPlain(words, want, wantRanks)
			n := slices.Index(want, NoPlace)
			if !slices.Equal(got[:n+Behind], want[:n+Behind]) || !slices.Equal(ranks[:blocks], wantRanks[:blocks]) {
				t.Fatalf("%d blocks, share %d: other places", blocks, few)
			}
		}
	}
}

func TestTooManyBlocks(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("1,024 blocks are taken")
		}
	}()
	Places(make([]uint64, 1024), make([]uint16, 1<<17), make([]uint16, 1024))
}
