// Package codec has the file formats of ratings, each a [Codec]: tables with a rating a line, tier lists, Parquet,
// arrays for NumPy, and files of other recommenders; PrefLib's orders have a package of their own below. Package format chooses among them.
package codec
