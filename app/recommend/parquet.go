package recommend

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetAnswer is a row of a Parquet file of recommendations, with the odds of a pick and of places as far as the model has them.
type parquetAnswer struct {
	User      string    `parquet:"user,dict"`
	Rank      int32     `parquet:"rank"`
	Item      string    `parquet:"item,dict"`
	Name      string    `parquet:"name,dict"`
	Score     float64   `parquet:"score"`
	Interest  *float64  `parquet:"interest,optional"`
	Tier      *int32    `parquet:"tier,optional"`
	TierProbs []float64 `parquet:"tier_probs,list"`
	GapProbs  []float64 `parquet:"gap_probs,list"`
	Expected  *float64  `parquet:"expected_rank,optional"`
	Interval  []float64 `parquet:"rank_interval,list"`
}

// ParquetForm is Parquet with zstd compression, a row per recommendation.
func ParquetForm(r *Recommender) Form {
	options := []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("fubini", "", ""), // the library would write its own version, which changes the bytes
		parquet.MaxRowsPerRowGroup(groupRows),
	}
	if !r.Odds {
		for _, field := range []string{"Interest", "Tier", "TierProbs", "GapProbs", "Expected", "Interval"} {
			options = append(options, &parquet.StructTagOption{ColumnPath: []string{field}, StructTag: `parquet:"-"`})
		}
	}
	return Form{"parquet", encodeParquet, func(w io.Writer) Sink { return parquetSink{parquet.NewGenericWriter[parquetAnswer](w, options...)} }}
}

func encodeParquet(to *Answered, r *Recommender, user string, rows []Row) error {
	for _, row := range rows {
		answer := parquetAnswer{User: user, Rank: int32(row.Rank), Item: r.Saved.ItemIDs[row.Item], Name: r.Saved.ItemNames[row.Item], Score: row.Score, Interest: row.Interest}
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

type parquetSink struct {
	*parquet.GenericWriter[parquetAnswer]
}

func (s parquetSink) Put(a *Answered) error {
	if _, err := s.Write(a.table); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}
