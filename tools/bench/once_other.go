//go:build !unix

package main

func coreSeconds() (seconds float64, ok bool) { return 0, false }
