// Package partition holds ordered set partitions: tier lists, weak orders,
// rankings with ties.
//
// An ordered partition of the items 0..N-1 is a sequence of blocks, best first,
// none empty, each item in exactly one. [Partition] is built for samplers: split
// and merge of blocks and the lifting and reinserting of an item cost O(N) at
// worst and never allocate.
//
// A lifted item can go back to one of 2T+1 slots, where T is the number of
// blocks that remain. Slots are numbered from best to worst: slot 2t is the gap
// above block t, slot 2t+1 is block t itself, slot 2T the gap below everything.
//
// There are Fubini(N) ordered partitions; [Fubini] and [LogFubini] count them,
// [All] lists them and [Uniform] draws from them with equal probability. See
// docs/maths.md#states.
package partition
