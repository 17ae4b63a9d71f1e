// Package flink holds scripts; what can be tested of them without a cluster is tested here.
package flink

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeBoot behaves as Beam's boot does: it starts a worker, waits for it, and does not
// pass on a signal. It says which worker that is and which folder it was given.
const fakeBoot = `#!/bin/sh
for argument; do
	case $argument in --semi_persist_dir=*) folder=${argument#*=} ;; esac
done
sleep 1000 &
echo "$! $folder" >"$SEEN/$$.new"
mv "$SEEN/$$.new" "$SEEN/$$"
wait
`

// plainExec is what a worker script would be without care: the broken twin.
const plainExec = "#!/bin/sh\nexec \"$FUBINI_BOOT\" \"$@\"\n"

// stage is a folder with a boot program in it.
type stage struct {
	seen, workers string
	environment   []string
}

func newStage(t *testing.T, boot string) stage {
	folder := t.TempDir()
	s := stage{seen: filepath.Join(folder, "seen"), workers: filepath.Join(folder, "workers")}
	if err := os.Mkdir(s.seen, 0o777); err != nil {
		t.Fatal(err)
	}
	s.environment = append(os.Environ(), "SEEN="+s.seen, "FUBINI_WORKERS="+s.workers, "FUBINI_BOOT="+script(t, boot))
	return s
}

// script writes a program.
func script(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// start runs a command until the test ends at the latest.
func (s stage) start(t *testing.T, name string, arguments ...string) *exec.Cmd {
	command := exec.Command(name, arguments...)
	command.Env = s.environment
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return command
}

// worker is what a boot has told of itself.
type worker struct {
	process int
	folder  string
}

// started waits for so many workers.
func (s stage) started(t *testing.T, count int) []worker {
	var workers []worker
	eventually(t, fmt.Sprintf("%d workers start", count), func() bool {
		workers = nil
		files, err := filepath.Glob(filepath.Join(s.seen, "*[0-9]"))
		if err != nil || len(files) < count {
			return false
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			process, folder, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
			number, err := strconv.Atoi(process)
			if err != nil {
				t.Fatal(err)
			}
			workers = append(workers, worker{number, folder})
		}
		return true
	})
	for _, w := range workers {
		t.Cleanup(func() {
			if lives(w.process) {
				_ = syscall.Kill(w.process, syscall.SIGKILL)
			}
		})
	}
	return workers
}

// ends waits until nothing is left of a worker.
func (w worker) ends(t *testing.T) {
	t.Helper()
	eventually(t, "the worker ends", func() bool { return !lives(w.process) })
	eventually(t, "its folder is removed", func() bool {
		_, err := os.Stat(w.folder)
		return errors.Is(err, os.ErrNotExist)
	})
}

// lives says whether a process runs; one that has ended and waits for its parent does not.
func lives(process int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return false
	}
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(after, []byte("Z"))
}

// eventually waits for something that takes a second or two.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("it is not so that %s", what)
}

func TestWorkerEndsWithItsWrapper(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			s := newStage(t, fakeBoot)
			wrapper := s.start(t, "./worker.sh", "--id=1-1")
			w := s.started(t, 1)[0]
			if err := wrapper.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = wrapper.Wait()
			w.ends(t)
		})
	}
}

func TestPlainExecLeavesItsWorker(t *testing.T) { // else the test above shows nothing
	s := newStage(t, fakeBoot)
	wrapper := s.start(t, script(t, plainExec))
	w := s.started(t, 1)[0]
	if err := wrapper.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = wrapper.Wait()
	time.Sleep(2 * time.Second) // more than the careful one needs
	if !lives(w.process) {
		t.Error("the worker is gone: the tests cannot see one that stays behind")
	}
}

func TestWorkerEndsWithItsTaskManager(t *testing.T) {
	s := newStage(t, fakeBoot)
	manager := s.start(t, "/bin/sh", "-c", "./worker.sh --id=1-1; true") // not the last command, so that sh stays its parent
	w := s.started(t, 1)[0]
	if err := manager.Process.Kill(); err != nil { // by -9: it cannot tell anybody
		t.Fatal(err)
	}
	w.ends(t)
}

// slowMktemp stands in for mktemp: it makes the folder, says so, and comes back only when it may.
const slowMktemp = `#!/bin/sh
PATH=${PATH#*:}
mktemp "$@"
: >"$SEEN/made"
while [ ! -e "$SEEN/go-on" ]; do sleep 0.05; done
`

// A job that starts again ends workers that have only just begun.
func TestWrapperThatEndsAtItsStartLeavesNoFolder(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			s := newStage(t, fakeBoot)
			commands := t.TempDir()
			if err := os.Rename(script(t, slowMktemp), filepath.Join(commands, "mktemp")); err != nil {
				t.Fatal(err)
			}
			s.environment = append(s.environment, "PATH="+commands+":"+os.Getenv("PATH"))
			wrapper := s.start(t, "./worker.sh", "--id=1-1")
			eventually(t, "the folder is made", func() bool {
				_, err := os.Stat(filepath.Join(s.seen, "made"))
				return err == nil
			})
			if err := wrapper.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = wrapper.Wait()
			if err := os.WriteFile(filepath.Join(s.seen, "go-on"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the folder is removed", func() bool {
				left, err := os.ReadDir(s.workers)
				return err == nil && len(left) == 0
			})
		})
	}
}

func TestWorkersHaveFoldersOfTheirOwn(t *testing.T) {
	s := newStage(t, fakeBoot)
	s.start(t, "./worker.sh", "--id=1-1")
	s.start(t, "./worker.sh", "--id=1-1")
	workers := s.started(t, 2)
	for _, w := range workers {
		if filepath.Dir(w.folder) != s.workers {
			t.Errorf("folder %q is not in %q", w.folder, s.workers)
		}
	}
	if workers[0].folder == workers[1].folder {
		t.Errorf("both workers were given %s", workers[0].folder)
	}
}

func TestWrapperTellsHowItsBootEnded(t *testing.T) {
	s := newStage(t, "#!/bin/sh\nexit 7\n")
	err := s.start(t, "./worker.sh").Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("ended with %v, want exit status 7", err)
	}
}

func TestScriptsParse(t *testing.T) {
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range scripts {
		if out, err := exec.Command("bash", "-n", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
