package codec

import "fubini/data/ratings"

// What the tests, which are of package codec_test because codectest imports codec, need from inside.

type ParquetTimedRow = parquetRow

// ParquetPlain adds the rows of a Parquet file up to the first that is not read with many others.
func ParquetPlain(in *Input, b *ratings.Builder) (rows int, err error) {
	source, err := openParquet(in, Options{})
	if err != nil {
		return 0, err
	}
	t := source.(*parquetTable)
	defer t.Close()
	return t.addPlain(b), nil
}
