// Package codec has the file formats of ratings, each a [Codec]: tables with a rating a line, orders with ties, Parquet,
// arrays for NumPy, and people's exports. Package format chooses among them.
package codec
