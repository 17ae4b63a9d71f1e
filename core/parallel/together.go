package parallel

import "sync"

// Together calls run once for every member of a group, 0 to size-1, at the same time, and
// waits for all of them. Member 0 is the caller.
func Together(size int, run func(member int)) {
	var others sync.WaitGroup
	for m := 1; m < size; m++ {
		others.Go(func() { run(m) })
	}
	run(0)
	others.Wait()
}
