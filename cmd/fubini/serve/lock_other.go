//go:build !unix

package serve

import "os"

// lockFile says that a file is ours: where there are no such locks, two servers must not
// train beside one model.
func lockFile(*os.File) bool { return true }
