package serve

import (
	"bytes"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

// machine is a file system with these files: names and texts in turn.
func machine(pairs ...string) fstest.MapFS {
	tree := fstest.MapFS{}
	for k := 0; k < len(pairs); k += 2 {
		tree[pairs[k]] = &fstest.MapFile{Data: []byte(pairs[k+1])}
	}
	return tree
}

func TestCgroupLimits(t *testing.T) {
	const none = "9223372036854771712\n" // what version 1 says for none, with pages of 4 KiB
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  int64
		fault string
	}{
		"no cgroups":            {machine(), 0, ""},
		"version 2":             {machine("proc/self/cgroup", "0::/system.slice/fubini.service\n", "sys/fs/cgroup/system.slice/fubini.service/memory.max", "524288000\n"), 524288000, ""},
		"none in version 2":     {machine("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/memory.max", "max\n"), 0, ""},
		"above it":              {machine("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max", "max\n", "sys/fs/cgroup/a/memory.max", "1000000\n"), 1000000, ""},
		"the smallest":          {machine("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max", "3000000\n", "sys/fs/cgroup/a/memory.max", "2000000\n"), 2000000, ""},
		"a container's own":     {machine("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "500000000\n"), 500000000, ""},
		"a container in part":   {machine("proc/self/cgroup", "0::/docker/0123\n", "sys/fs/cgroup/memory.max", "500000000\n"), 500000000, ""},
		"outside of our branch": {machine("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/b/memory.max", "5\n"), 0, ""},
		"version 1":             {machine("proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/docker/0123\n", "sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "700000000\n", "sys/fs/cgroup/memory/memory.limit_in_bytes", none), 700000000, ""},
		"none in version 1":     {machine("proc/self/cgroup", "5:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes", none), 0, ""},
		"both":                  {machine("proc/self/cgroup", "5:memory:/a\n0::/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "800000000\n", "sys/fs/cgroup/unified/a/memory.max", "max\n"), 800000000, ""},
		"another controller":    {machine("proc/self/cgroup", "5:cpu:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes", "1\n"), 0, ""},
		"garbage":               {machine("proc/self/cgroup", "garbage\n"), 0, `/proc/self/cgroup: "garbage": want number`},
		"no number":             {machine("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "much\n"), 0, `/sys/fs/cgroup/memory.max: "much": want a number`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := cgroupLimit(c.files)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("%d, %v, want %s", got, err, c.fault)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%d, %v, want %d", got, err, c.want)
			}
		})
	}
}

// The collector is told nine tenths of the limit, unless GOMEMLIMIT says otherwise.
func TestTheCollectorKeepsBelowTheCgroup(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	limited := machine("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "500000000\n")
	for _, c := range []struct {
		variable string
		files    fstest.MapFS
		want     int64
		says     string
	}{
		{"", machine(), math.MaxInt64, "no memory limit"},
		{"", limited, 450_000_000, "source=cgroup cgroup_bytes=500000000 bytes=450000000"},
		{"1GiB", limited, math.MaxInt64, "source=GOMEMLIMIT"}, // the runtime has read it long ago
		{"", machine("proc/self/cgroup", "?"), math.MaxInt64, "cannot be read"},
	} {
		t.Setenv("GOMEMLIMIT", c.variable)
		debug.SetMemoryLimit(math.MaxInt64)
		var log bytes.Buffer
		limitMemory(c.files, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		if got := debug.SetMemoryLimit(-1); got != c.want || !strings.Contains(log.String(), c.says) {
			t.Errorf("GOMEMLIMIT=%s: the limit is %d, want %d; the log says %s", c.variable, got, c.want, &log)
		}
	}
}
