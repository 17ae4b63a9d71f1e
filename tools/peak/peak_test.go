package peak

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

// A small program has little memory, whatever this one had before it was started.
func TestForget(t *testing.T) {
	if os.Getenv("PEAK_CHILD") != "" {
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process counts for others on Linux only")
	}
	if build, ok := debug.ReadBuildInfo(); ok && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the shadow memory of the race detector is not given back")
	}
	run := func() float64 {
		cmd := exec.Command(os.Args[0], "-test.run", "TestForget")
		cmd.Env = append(os.Environ(), "PEAK_CHILD=1")
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		return of(cmd.ProcessState)
	}
	const much = 200 << 20
	held := make([]byte, much)
	for k := 0; k < len(held); k += 4096 {
		held[k] = 1
	}
	runtime.KeepAlive(held)
	if own := Own(); !(own >= much/1e6) {
		t.Errorf("%g MB at the peak, with %g MB in use", own, much/1e6)
	}
	if with := run(); !(with >= much/1e6) {
		t.Errorf("%g MB: the memory of this process does not count, and forget is in vain", with)
	}
	forget()
	if own, without := Own(), run(); !(own < 100 && without > 1 && without < 100) {
		t.Errorf("%g MB, and %g MB of a process that needs a few", own, without)
	}
}
