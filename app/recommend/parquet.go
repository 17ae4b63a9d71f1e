package recommend

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetAnswer is a row of a Parquet file of recommendations.
type parquetAnswer struct {
	User      string    `parquet:"user,dict"`
	Rank      int32     `parquet:"rank"`
	Item      string    `parquet:"item,dict"`
	Name      string    `parquet:"name,dict"`
	Score     float64   `parquet:"score"`
	Tier      *int32    `parquet:"tier,optional"`
	TierProbs []float64 `parquet:"tier_probs,list"`
	GapProbs  []float64 `parquet:"gap_probs,list"`
}

// parquetScore is a row without odds.
type parquetScore struct {
	User  string  `parquet:"user,dict"`
	Rank  int32   `parquet:"rank"`
	Item  string  `parquet:"item,dict"`
	Name  string  `parquet:"name,dict"`
	Score float64 `parquet:"score"`
}

// ParquetForm writes Parquet files, compressed by zstd.
func ParquetForm(r *Recommender) Form { return Form{"parquet", encodeParquet, openParquet(r.Odds)} }

func encodeParquet(to *Answered, r *Recommender, user string, rows []Row) error {
	for _, row := range rows {
		answer := parquetAnswer{User: user, Rank: int32(row.Rank), Item: r.Saved.ItemIDs[row.Item], Name: r.Saved.ItemNames[row.Item], Score: row.Score}
		if row.Odds != nil {
			if t := row.Odds.Tier(); t >= 0 {
				tier := int32(t + 1)
				answer.Tier = &tier
			}
			answer.TierProbs, answer.GapProbs = row.Odds.Tiers, row.Odds.Gaps
		}
		to.table = append(to.table, answer)
	}
	return nil
}

// groupRows is how many rows are held until they are written.
const groupRows = 1 << 14

// parquetSink writes rows with odds, or without.
type parquetSink struct {
	full  *parquet.GenericWriter[parquetAnswer]
	plain *parquet.GenericWriter[parquetScore]
	rows  []parquetScore
}

func openParquet(odds bool) func(w io.Writer) Sink {
	return func(w io.Writer) Sink {
		options := []parquet.WriterOption{
			parquet.Compression(&parquet.Zstd),
			parquet.CreatedBy("fubini", "", ""), // the library would put its own version, which changes the bytes
			parquet.MaxRowsPerRowGroup(groupRows),
		}
		if odds {
			return &parquetSink{full: parquet.NewGenericWriter[parquetAnswer](w, options...)}
		}
		return &parquetSink{plain: parquet.NewGenericWriter[parquetScore](w, options...)}
	}
}

func (s *parquetSink) Put(a *Answered) error {
	var err error
	if s.full != nil {
		_, err = s.full.Write(a.table)
	} else {
		s.rows = s.rows[:0]
		for _, row := range a.table {
			s.rows = append(s.rows, parquetScore{row.User, row.Rank, row.Item, row.Name, row.Score})
		}
		_, err = s.plain.Write(s.rows)
	}
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

func (s *parquetSink) Close() error {
	if s.full != nil {
		return s.full.Close()
	}
	return s.plain.Close()
}
