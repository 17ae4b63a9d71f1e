// Package columns reads and writes ratings by columns: Parquet, and arrays for NumPy.
package columns
