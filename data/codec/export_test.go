package codec

// What the tests, which are of package codec_test because codectest imports codec, need from inside.

type ParquetTimedRow = parquetRow
