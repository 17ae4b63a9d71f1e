// Package modelfile is the container of trained models: named tensors and
// metadata, in one safetensors file that Python, Rust and JavaScript can open too.
//
//	8 bytes        length of the header, little-endian
//	header         JSON: "__metadata__" (text to text), then for every tensor its
//	               dtype, shape and data_offsets; spaces up to a multiple of 8
//	data           the tensors without gaps, little-endian, row by row
//
// A model is put together in a [File] with [Set], [File.SetStrings] and
// [File.SetJSON], written by [File.WriteTo] and read by [Read] with [Get],
// [File.Strings] and [File.JSON]. The same content gives the same bytes: tensors
// lie by dtype, widest first, and then by name, as Python's safetensors puts
// them, so that each one is aligned; metadata lies by key. For the same reason
// callers keep wall times and paths out.
//
// Nothing in a file is believed. Read checks the length of the header, its JSON
// (no key twice, none unknown), every dtype, shape and range, that the tensors
// fill the file exactly, a checksum over all content and that every number is
// finite; it allocates in proportion to the size of the file, whatever the file
// claims. Get checks shapes against what the model expects. The checksum finds
// damage and edits by accident; it is no signature.
//
// The metadata key sha256 holds the checksum, in hex: the SHA-256 of the number of
// metadata pairs and the pairs by key (sha256 itself left out), then the number
// of tensors and the tensors by name: name, dtype, number of dimensions,
// dimensions, data. Numbers are 8 bytes little-endian; texts and data stand after
// their length in bytes. It depends on the content alone, so a file that another
// library has loaded and saved unchanged stays valid; peers/modelfile.py has
// it in Python.
package modelfile
