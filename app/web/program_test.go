package web_test

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// build makes the real program, once for all tests that run it.
var build = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "fubini-program")
	if err != nil {
		return "", err
	}
	starting.Lock()
	stops = append(stops, func() { _ = os.RemoveAll(folder) })
	starting.Unlock()
	path := filepath.Join(folder, "fubini")
	said, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, "../../cmd/fubini").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, said)
	}
	return path, nil
})

// fubini runs the program to its end and gives what it wrote.
func fubini(t *testing.T, args ...string) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	var told bytes.Buffer
	command.Stderr = &told
	wrote, err := command.Output()
	if err != nil {
		t.Fatalf("fubini %s: %v: %s", strings.Join(args, " "), err, told.String())
	}
	return string(wrote)
}

// process is the program at work as a server.
type process struct {
	*fake   // for its address alone: nothing of this server is a fake
	command *exec.Cmd
	told    *output
	folder  string // where it may put temporary files
	over    bool
}

// output is what a program has said so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs the program until the test ends, or interrupt is called.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p, err := launch(t.TempDir(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// launch runs the program and waits for the address that it tells.
func launch(folder string, args ...string) (*process, error) {
	path, err := build()
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.Command(path, args...), told: &output{}, folder: folder}
	p.command.Env = append(os.Environ(), "TMPDIR="+p.folder)
	p.command.Stderr = p.told
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if url := address.FindString(p.told.String()); url != "" {
			p.fake = &fake{Server: &httptest.Server{URL: url}}
			return p, nil
		}
		if time.Now().After(deadline) {
			p.kill()
			return nil, fmt.Errorf("no address was told: %s", p.told)
		}
	}
}

func (p *process) kill() {
	if p.over {
		return
	}
	p.over = true
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}

// demo is a running `fubini demo`. It trains before it serves, so tests share one. TestDemo ends it, in parallel with
// others: those that use it too run before, on their own.
func demo(t *testing.T) *process {
	t.Helper()
	demoStarting.Lock()
	defer demoStarting.Unlock()
	if demoServer != nil && !demoServer.over {
		return demoServer
	}
	folder, err := os.MkdirTemp("", "fubini-demo")
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch(folder, "demo", "--addr", "127.0.0.1:0")
	starting.Lock()
	defer starting.Unlock()
	stops = append(stops, func() { _ = os.RemoveAll(folder) })
	if err != nil {
		t.Fatal(err)
	}
	stops = append(stops, p.kill)
	demoServer = p
	return p
}

var (
	demoStarting sync.Mutex
	demoServer   *process
)

// interrupt is Ctrl-C. The program must end well, and leave nothing behind.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	p.over = true
	if err := p.command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	if err := p.command.Wait(); err != nil {
		t.Errorf("it ended by %v: %s", err, p.told)
	}
	if left, err := filepath.Glob(filepath.Join(p.folder, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
