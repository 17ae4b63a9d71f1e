// Package vec holds the few loops over numbers in which training and scoring
// spend their time. Each kernel is a plain loop, and where the processor allows
// it an assembly twin that makes the same additions in the same order, so that
// both give the same bits. On amd64 the assembly is in kernels_amd64.s.
package vec
