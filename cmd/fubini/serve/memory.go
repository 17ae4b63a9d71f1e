package serve

import (
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// memoryShare of a cgroup's limit is what the garbage collector is told to stay below.
// The rest is for what it does not count: the database's own memory and the program itself.
const memoryShare = 0.9

// limitMemory tells the collector of the cgroup's limit, so that it works harder rather
// than be killed. Who has set GOMEMLIMIT knows better.
func limitMemory(root fs.FS, log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		log.Info("memory limit", "source", "GOMEMLIMIT", "bytes", debug.SetMemoryLimit(-1))
		return
	}
	limit, err := cgroupLimit(root)
	switch {
	case err != nil:
		log.Warn("the memory limit of the cgroup cannot be read", "error", err.Error())
	case limit > 0:
		share := int64(memoryShare * float64(limit))
		debug.SetMemoryLimit(share)
		log.Info("memory limit", "source", "cgroup", "cgroup_bytes", limit, "bytes", share)
	default:
		log.Debug("no memory limit: there is no cgroup, or it sets none")
	}
}

// cgroupLimit is the smallest memory limit, in bytes, of the cgroup that this process is
// in and of those above it; 0 where there is none. Root is the root of the file system.
// Cgroups are looked for where systemd and containers mount them. Inside a container the
// path in /proc may be that of the host, which is not there: then those above it are.
func cgroupLimit(root fs.FS) (int64, error) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, nil //nolint:nilerr // no cgroups here, as on other systems than Linux
	}
	limit := int64(math.MaxInt64)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		fields := strings.SplitN(line, ":", 3) // number, controllers, path
		if len(fields) != 3 {
			return 0, fmt.Errorf("/proc/self/cgroup: %q: want number:controllers:path", line)
		}
		var mounts []string
		file := "memory.max"
		switch {
		case fields[0] == "0" && fields[1] == "": // version 2, alone or beside version 1
			mounts = []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"}
		case slices.Contains(strings.Split(fields[1], ","), "memory"): // version 1
			mounts, file = []string{"sys/fs/cgroup/memory"}, "memory.limit_in_bytes"
		}
		for _, mount := range mounts {
			for at := path.Clean("/" + fields[2]); ; at = path.Dir(at) {
				found, err := readLimit(root, path.Join(mount, at, file))
				if err != nil {
					return 0, err
				}
				limit = min(limit, found)
				if at == "/" {
					break
				}
			}
		}
	}
	if limit >= math.MaxInt64>>12<<12 { // version 1 says none by as many pages as there can be, of 4 KiB or more
		return 0, nil
	}
	return limit, nil
}

// readLimit reads a file that holds a number of bytes, or max.
func readLimit(root fs.FS, name string) (int64, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return math.MaxInt64, nil //nolint:nilerr // not mounted, or a cgroup without a limit of its own
	}
	word := strings.TrimSpace(string(text))
	if word == "max" {
		return math.MaxInt64, nil
	}
	limit, err := strconv.ParseInt(word, 10, 64)
	if err != nil || limit < 0 {
		return 0, fmt.Errorf("/%s: %q: want a number of bytes or max", name, word)
	}
	return limit, nil
}
