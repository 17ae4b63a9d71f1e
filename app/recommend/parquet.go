package recommend

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetScore is a row of a Parquet file of recommendations without odds.
type parquetScore struct {
	User  string  `parquet:"user,dict"`
	Rank  int32   `parquet:"rank"`
	Item  string  `parquet:"item,dict"`
	Name  string  `parquet:"name,dict"`
	Score float64 `parquet:"score"`
}

// parquetAnswer is a row with the odds of a pick and of places, as far as the model has them.
type parquetAnswer struct {
	parquetScore
	Interest  *float64  `parquet:"interest,optional"`
	Tier      *int32    `parquet:"tier,optional"`
	TierProbs []float64 `parquet:"tier_probs,list"`
	GapProbs  []float64 `parquet:"gap_probs,list"`
	Expected  *float64  `parquet:"expected_rank,optional"`
	Interval  []float64 `parquet:"rank_interval,list"`
}

// ParquetForm is Parquet with zstd compression, a row per recommendation.
func ParquetForm(r *Recommender) Form {
	if r.Odds {
		return Form{"parquet", encodeParquet, openParquet(func(a *parquetAnswer) parquetAnswer { return *a })}
	}
	return Form{"parquet", encodeParquet, openParquet(func(a *parquetAnswer) parquetScore { return a.parquetScore })}
}

func encodeParquet(to *Answered, r *Recommender, user string, rows []Row) error {
	for _, row := range rows {
		answer := parquetAnswer{parquetScore: parquetScore{user, int32(row.Rank), r.Saved.ItemIDs[row.Item], r.Saved.ItemNames[row.Item], row.Score}, Interest: row.Interest}
		if row.Odds != nil {
			if t := row.Odds.Tier(); t >= 0 {
				tier := int32(t + 1)
				answer.Tier, answer.Expected, answer.Interval = &tier, &row.Odds.Rank, []float64{row.Odds.Low, row.Odds.High}
			}
			answer.TierProbs, answer.GapProbs = row.Odds.Tiers, row.Odds.Gaps
		}
		to.table = append(to.table, answer)
	}
	return nil
}

// groupRows is the number of rows that are held until they are written.
const groupRows = 1 << 14

// parquetSink writes rows of type T.
type parquetSink[T any] struct {
	*parquet.GenericWriter[T]
	row  func(*parquetAnswer) T
	rows []T
}

func openParquet[T any](row func(*parquetAnswer) T) func(w io.Writer) Sink {
	return func(w io.Writer) Sink {
		return &parquetSink[T]{row: row, GenericWriter: parquet.NewGenericWriter[T](w,
			parquet.Compression(&parquet.Zstd),
			parquet.CreatedBy("fubini", "", ""), // the library would write its own version, which changes the bytes
			parquet.MaxRowsPerRowGroup(groupRows),
		)}
	}
}

func (s *parquetSink[T]) Put(a *Answered) error {
	s.rows = s.rows[:0]
	for k := range a.table {
		s.rows = append(s.rows, s.row(&a.table[k]))
	}
	if _, err := s.Write(s.rows); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}
