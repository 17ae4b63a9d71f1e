// Package columns reads the columns of Parquet files that ratings are made of, value by value or many rows at a time.
package columns
