package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// server is a PostgreSQL of the tests' own: its data in a temporary folder, its
// door a socket in the same folder, so that it meets no other.
type server struct {
	programs, folder string
	as               *syscall.Credential // PostgreSQL refuses to run as root
	process          *os.Process
	ended            chan struct{}
	databases        int
}

var shared struct {
	sync.Mutex
	server *server
}

func init() {
	kinds["postgres"] = func(t *testing.T) string { return sharedServer(t).newDatabase(t) }
	stopServers = func() {
		if shared.server != nil {
			shared.server.remove()
		}
	}
}

// sharedServer is the server for all tests; who stops it starts it again.
func sharedServer(t *testing.T) *server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		shared.server = newServer(t)
	}
	return shared.server
}

// newServer makes a server and starts it; without PostgreSQL the test is skipped.
func newServer(t *testing.T) *server {
	t.Helper()
	found := must(filepath.Glob("/usr/lib/postgresql/*/bin/initdb"))
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed: apt-get install -y postgresql")
	}
	slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) }) // 9 before 15; then as listed, by name
	folder, err := os.MkdirTemp("", "fubini-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{programs: filepath.Dir(found[len(found)-1]), folder: folder}
	if os.Getuid() == 0 {
		account, err := user.Lookup("postgres")
		if err != nil {
			t.Fatalf("running as root, and PostgreSQL needs another account: %v", err)
		}
		uid, gid := must(strconv.Atoi(account.Uid)), must(strconv.Atoi(account.Gid))
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	initdb := exec.Command(found[len(found)-1], "-D", filepath.Join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8", "--no-sync")
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	initdb.Dir = folder
	if out, err := initdb.CombinedOutput(); err != nil {
		os.RemoveAll(folder)
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	if err := s.start(); err != nil {
		s.remove()
		t.Fatal(err)
	}
	return s
}

// start runs the server and waits until it answers. After a kill it may take a
// few tries: the orphans of the last server have to go first.
func (s *server) start() error {
	deadline := time.Now().Add(2 * time.Minute) // it may have much to recover, on a machine that has much else to do
	for {
		err := s.tryStart(deadline)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (s *server) tryStart(deadline time.Time) error {
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(filepath.Join(s.programs, "postgres"), "-D", filepath.Join(s.folder, "data"), "-k", s.folder, "-c", "listen_addresses=")
	command.Dir, command.Stdout, command.Stderr = s.folder, log, log
	// Should the tests be killed, the server goes with them. The kernel watches the
	// thread that started it, which therefore stays with the goroutine below.
	command.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Pdeathsig: syscall.SIGQUIT}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		started <- command.Start()
		_ = command.Wait() // how it ended is told by its log
		close(ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	s.process, s.ended = command.Process, ended
	for {
		connection, err := pgx.Connect(context.Background(), s.address("postgres"))
		if err == nil {
			return connection.Close(context.Background())
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("PostgreSQL ended at once:\n%s", text)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("PostgreSQL does not answer: %w", err)
		}
	}
}

// stop ends the server: SIGINT breaks connections and leaves in order, SIGQUIT
// leaves at once, SIGKILL is a crash of all its processes. Those that serve a
// connection would else go on for a while without their parent.
func (s *server) stop(signal syscall.Signal) error {
	if signal == syscall.SIGKILL {
		children, err := s.children()
		if err != nil {
			return err
		}
		defer func() {
			for _, child := range children {
				_ = syscall.Kill(child, signal) // it may be gone already
			}
		}()
	}
	if err := s.process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.ended
	return nil
}

// children are the processes that the server has started.
func (s *server) children() (pids []int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", s.process.Pid))
	for _, pid := range strings.Fields(string(text)) {
		pids = append(pids, must(strconv.Atoi(pid)))
	}
	return pids, err
}

// freeze stops all processes of the server where they are, until resumed.
func (s *server) freeze() (resume func(), err error) {
	pids, err := s.children()
	if err != nil {
		return nil, err
	}
	signal := func(signal syscall.Signal) {
		for _, pid := range append(pids, s.process.Pid) {
			_ = syscall.Kill(pid, signal) // a helper of the server's may have ended
		}
	}
	signal(syscall.SIGSTOP)
	return func() { signal(syscall.SIGCONT) }, nil
}

func (s *server) remove() {
	if s.process != nil {
		_ = s.stop(syscall.SIGQUIT)
	}
	os.RemoveAll(s.folder)
}

func (s *server) address(database string) string {
	return "postgres://postgres@/" + database + "?host=" + url.QueryEscape(s.folder)
}

// newDatabase makes an empty database.
func (s *server) newDatabase(t *testing.T) string {
	t.Helper()
	s.databases++
	name := fmt.Sprintf("test%d", s.databases)
	connection := must(pgx.Connect(t.Context(), s.address("postgres")))
	defer connection.Close(context.Background())
	if _, err := connection.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.address(name)
}
