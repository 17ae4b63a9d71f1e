package fetch

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
)

// The scripts have no server to ask. A fubini that finds this variable has one
// within itself, and knows the sets of tinySets in place of the real ones.
func init() {
	if os.Getenv("FUBINI_TEST_FETCH") == "" {
		return
	}
	served := map[string][]byte{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := served[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	datasets = tinySets(server.URL, served)
}

// tinySets are a set of each kind, and one whose publisher has changed it. They
// are added to what a server serves.
func tinySets(address string, served map[string][]byte) []dataset {
	files := func(names ...string) (list remoteFiles) {
		for _, name := range names {
			list = append(list, published(address, name, served["/"+name]))
		}
		return list
	}
	served["/tiny.zip"] = zipped(map[string]string{"tiny-1/": "", "tiny-1/ratings.dat": "1::10::5::0\n2::10::3::0\n", "tiny-1/doc/README": "hello\n"})
	served["/ratings.csv"] = []byte("userId,movieId,rating,timestamp\n1,2,5,0\n")
	served["/movies.csv"] = []byte("movieId,title,genres\n2,Two (1999),Drama\n")
	changed := files("tiny.zip")
	changed[0].Name, changed[0].SHA256 = "changed.zip", strings.Repeat("0", 64)
	return []dataset{
		{Name: "tiny", Ratings: 2, Licence: "none", Terms: []string{"Tiny, by nobody.", "Do as you like."}, Files: files("tiny.zip")},
		{Name: "plain", Ratings: 1, Licence: "none", Terms: []string{"Plain, by nobody."}, Files: files("ratings.csv", "movies.csv")},
		{Name: "changed", Ratings: 2, Licence: "none", Terms: []string{"Changed, by nobody."}, Files: changed},
	}
}

// zipped is an archive; names that end in a slash are folders.
func zipped(files map[string]string) []byte {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return archive.Bytes()
}

func published(address, name string, content []byte) remoteFile {
	sum := sha256.Sum256(content)
	return remoteFile{name, address + "/" + name, int64(len(content)), hex.EncodeToString(sum[:])}
}

// publisher is a server that answers each request by the next of its answers,
// and the last of them for ever.
type publisher struct {
	*httptest.Server
	content []byte // of big.zip
	answers []http.HandlerFunc

	mutex    sync.Mutex
	requests []http.Header
}

// newPublisher serves an archive of 200 kB that does not compress.
func newPublisher(t *testing.T, answers ...http.HandlerFunc) *publisher {
	noise := make([]byte, 0, 200_000)
	for block := sha256.Sum256(nil); len(noise) < cap(noise); block = sha256.Sum256(block[:]) {
		noise = append(noise, block[:]...)
	}
	s := &publisher{content: zipped(map[string]string{"big/ratings.dat": string(noise)}), answers: answers}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, r.Header)
		s.mutex.Unlock()
		s.answers[min(n, len(s.answers)-1)](w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *publisher) set() dataset {
	return dataset{Name: "big", Ratings: 7, Licence: "none", Terms: []string{"Big, by nobody."}, Files: remoteFiles{published(s.URL, "big.zip", s.content)}}
}

// whole answers as servers should, ranges and all.
func (s *publisher) whole() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.content))
	}
}

// cut breaks the connection off after n bytes.
func (s *publisher) cut(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.content)))
		w.Write(s.content[:n])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// header returns what each request had in a header.
func (s *publisher) header(key string) (values []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, h := range s.requests {
		values = append(values, h.Get(key))
	}
	return values
}

// fetching is a run of fetch in this process, for one set.
type fetching struct {
	ctx    context.Context
	set    dataset
	client *http.Client
	stall  time.Duration
	waits  []time.Duration

	stdout, stderr bytes.Buffer
}

func (f *fetching) run(args ...string) (code int) {
	p := &cli.Program{Stdout: &f.stdout, Stderr: &f.stderr}
	root := cli.NewRoot(p, nil)
	root.AddCommand(newFetch(p, []dataset{f.set}, func(p *cli.Program, anyCertificate bool) *downloader {
		d := newDownloader(p, anyCertificate)
		d.stall = cmp.Or(f.stall, d.stall)
		d.client.Transport.(*http.Transport).ResponseHeaderTimeout = d.stall
		d.client = cmp.Or(f.client, d.client)
		d.wait = func(ctx context.Context, d time.Duration) error {
			f.waits = append(f.waits, d)
			return ctx.Err()
		}
		return d
	}))
	root.SetArgs(append([]string{"fetch"}, args...))
	return p.Report(f.ctx, root.ExecuteContext(f.ctx))
}

// fetch runs "fetch big DIR" and checks the exit code.
func (s *publisher) fetch(t *testing.T, want int, dir string, flags ...string) *fetching {
	t.Helper()
	f := &fetching{ctx: t.Context(), set: s.set()}
	if code := f.run(append([]string{"big", dir}, flags...)...); code != want {
		t.Fatalf("exit code %d, want %d: %s", code, want, &f.stderr)
	}
	return f
}

// tree lists the files under a folder.
func tree(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		paths = append(paths, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func wantTree(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("%s has %q, want %q", dir, got, want)
	}
}

func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %q", part, text)
		}
	}
}

func write(t *testing.T, content []byte, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), content, 0o666); err != nil {
		t.Fatal(err)
	}
}

var fetched = []string{"big", "big/.fubini-fetch.json", "big/ratings.dat"}

func TestFetch(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	f := s.fetch(t, 0, dir, "--format", "json")
	wantTree(t, dir, fetched...)
	var result map[string]any
	if err := json.Unmarshal(f.stdout.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(result); got != fmt.Sprintf("map[bytes:%d downloaded:%[1]d name:big path:%s ratings:7]", len(s.content), filepath.Join(dir, "big")) {
		t.Error(got)
	}
	// The terms and the size come first.
	if got, want := f.stderr.String(), fmt.Sprintf("Big, by nobody.\n%s/big.zip, %s\n", s.URL, megabytes(int64(len(s.content)))); !strings.HasPrefix(got, want) {
		t.Errorf("stderr has %q, want %q first", got, want)
	}
	if agent := s.header("User-Agent")[0]; agent != "fubini/"+cli.BuildVersion().Version {
		t.Error(agent)
	}

	// A second run downloads nothing.
	f = s.fetch(t, 0, dir, "--format", "jsonl")
	wantText(t, f.stderr.String(), "big is there already, and right")
	wantText(t, f.stdout.String(), `"downloaded":0`)
	if n := len(s.header("Range")); n != 1 {
		t.Errorf("%d requests", n)
	}

	// A folder with something else in it is left alone.
	write(t, []byte("mine"), dir, "big", "ratings.dat")
	f = s.fetch(t, 1, dir)
	wantText(t, f.stderr.String(), "ratings.dat has 4 bytes, and should have 200000", "move ")
	os.Remove(filepath.Join(dir, "big", receiptName))
	f = s.fetch(t, 1, dir)
	wantText(t, f.stderr.String(), "is there already, and not from fetch")
	wantTree(t, dir, "big", "big/ratings.dat")
	if n := len(s.header("Range")); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestFetchZip(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	dir := t.TempDir()

	// What is there is unpacked without a download, and stays.
	write(t, s.content, dir, "big.zip")
	f := s.fetch(t, 0, dir)
	wantText(t, f.stderr.String(), "big.zip is there already, and right")
	wantTree(t, dir, append(fetched, "big.zip")...)
	if n := len(s.header("Range")); n != 0 {
		t.Errorf("%d requests", n)
	}

	// Another file by that name is not ours to remove.
	dir = t.TempDir()
	write(t, bytes.Repeat([]byte("x"), len(s.content)), dir, "big.zip")
	f = s.fetch(t, 1, dir)
	wantText(t, f.stderr.String(), "has the SHA-256 ", s.set().Files[0].SHA256, "move ")
	wantTree(t, dir, "big.zip")
}

func TestFetchFolder(t *testing.T) {
	served := map[string][]byte{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(served[r.URL.Path]) }))
	defer server.Close()
	f := fetching{ctx: t.Context(), set: tinySets(server.URL, served)[1]}
	movies := served["/movies.csv"]
	served["/movies.csv"] = nil
	dir := t.TempDir()
	if code := f.run("plain", dir); code != exit.Failed {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantTree(t, dir, "plain.part", "plain.part/ratings.csv")
	served["/movies.csv"], served["/ratings.csv"] = movies, nil // not asked for again
	for range 2 {
		if code := f.run("plain", dir); code != 0 {
			t.Fatalf("exit code %d: %s", code, &f.stderr)
		}
		wantTree(t, dir, "plain", "plain/.fubini-fetch.json", "plain/movies.csv", "plain/ratings.csv")
	}
}

func TestFetchResumes(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.cut(70_000), s.whole()}
	dir := t.TempDir()
	f := s.fetch(t, 0, dir)
	wantTree(t, dir, fetched...)
	wantText(t, f.stderr.String(), "the connection broke off; again in 1s")
	if ranges := s.header("Range"); len(ranges) != 2 || ranges[0] != "" || !regexp.MustCompile(`^bytes=[1-9]\d*-$`).MatchString(ranges[1]) {
		t.Errorf("ranges %q", ranges)
	}

	// In a later run, whose part is known to the byte.
	dir = t.TempDir()
	write(t, s.content[:50_000], dir, "big.zip.part")
	s.requests, s.answers = nil, []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 50000-%d/%d", len(s.content)-1, len(s.content)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(s.content[50_000:])
	}}
	f = s.fetch(t, 0, dir, "--format", "jsonl")
	wantTree(t, dir, fetched...)
	wantText(t, f.stderr.String(), "big.zip.part has 50.0 kB of ")
	wantText(t, f.stdout.String(), fmt.Sprintf(`"downloaded":%d`, len(s.content)-50_000))
	if got := s.header("Range"); !slices.Equal(got, []string{"bytes=50000-"}) {
		t.Errorf("ranges %q", got)
	}
}

// All that can be wrong with a part ends in the right file.
func TestFetchStartsOver(t *testing.T) {
	s := newPublisher(t)
	old := bytes.Repeat([]byte("x"), len(s.content)+1)
	noRanges := func(w http.ResponseWriter, _ *http.Request) { w.Write(s.content) }
	for name, c := range map[string]struct {
		part    []byte
		answers []http.HandlerFunc
		tries   int
	}{
		"no ranges":            {s.content[:50_000], []http.HandlerFunc{noRanges}, 1},
		"longer than the file": {old, []http.HandlerFunc{s.whole()}, 1},
		"as long, but wrong":   {old[:len(s.content)], []http.HandlerFunc{s.whole()}, 1},
		"wrong beginning":      {old[:50_000], []http.HandlerFunc{s.whole()}, 2},
		"another part": {s.content[:50_000], []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 7-%d/%d", len(s.content)-1, len(s.content)))
			w.WriteHeader(http.StatusPartialContent)
		}, s.whole()}, 2},
		"not satisfiable": {s.content[:50_000], []http.HandlerFunc{status(http.StatusRequestedRangeNotSatisfiable), s.whole()}, 2},
		"complete":        {s.content, []http.HandlerFunc{status(http.StatusTeapot)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, c.part, dir, "big.zip.part")
			s.requests, s.answers = nil, c.answers
			s.fetch(t, 0, dir)
			wantTree(t, dir, fetched...)
			if n := len(s.header("Range")); n != c.tries {
				t.Errorf("%d requests, want %d", n, c.tries)
			}
		})
	}
}

// What is not the published file does not stay.
func TestFetchRefuses(t *testing.T) {
	s := newPublisher(t)
	other := bytes.Repeat([]byte("x"), len(s.content)+1)
	sum := sha256.Sum256(other[1:])
	chunked := func(content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			w.Write(content)
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		text   []string
	}{
		"digest":    {chunked(other[1:]), []string{hex.EncodeToString(sum[:]), s.set().Files[0].SHA256}},
		"longer":    {func(w http.ResponseWriter, _ *http.Request) { w.Write(other) }, []string{fmt.Sprintf("has %d bytes, and should have %d", len(other), len(s.content))}},
		"shorter":   {chunked(s.content[:1000]), []string{"has 1000 bytes, and should have"}},
		"endless":   {chunked(bytes.Repeat(other, 2)), []string{"not the file that was published"}},
		"page":      {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>log in first</html>") }, []string{"a web page came instead"}},
		"not found": {status(http.StatusNotFound), []string{"404 Not Found; the publisher may have moved it"}},
		"forbidden": {status(http.StatusForbidden), []string{"403 Forbidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			s.requests, s.answers = nil, []http.HandlerFunc{c.answer}
			dir := filepath.Join(t.TempDir(), "new")
			f := s.fetch(t, exit.Failed, dir)
			lines := strings.Split(strings.TrimSuffix(f.stderr.String(), "\n"), "\n")
			wantText(t, lines[len(lines)-1], c.text...)
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%q stay behind", tree(t, dir))
			}
			if n := len(s.header("Range")); n != 1 || f.stdout.Len() > 0 {
				t.Errorf("%d requests, stdout %q", n, &f.stdout)
			}
		})
	}

	// A log-in page costs no part.
	dir := t.TempDir()
	write(t, s.content[:50_000], dir, "big.zip.part")
	s.answers = []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>log in first</html>") }}
	s.fetch(t, exit.Failed, dir)
	wantTree(t, dir, "big.zip.part")
}

func TestFetchTriesAgain(t *testing.T) {
	s := newPublisher(t)
	busy := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	s.answers = []http.HandlerFunc{status(http.StatusInternalServerError), busy, status(http.StatusTooManyRequests), s.whole()}
	f := s.fetch(t, 0, t.TempDir())
	if want := []time.Duration{time.Second, 7 * time.Second, 4 * time.Second}; !slices.Equal(f.waits, want) {
		t.Errorf("waited %v, want %v", f.waits, want)
	}

	// Not for ever, even if bytes keep coming.
	for name, answer := range map[string]http.HandlerFunc{"errors": status(http.StatusBadGateway), "cut": s.cut(20)} {
		s.requests, s.answers = nil, []http.HandlerFunc{answer}
		f = s.fetch(t, exit.Failed, t.TempDir())
		if n := len(s.header("Range")); n != 5 || !slices.Equal(f.waits, []time.Duration{1e9, 2e9, 4e9, 8e9}) {
			t.Errorf("%s: %d requests, waited %v", name, n, f.waits)
		}
		wantText(t, f.stderr.String(), "(5 tries)\n")
	}
}

// A silent server is left, and the next try goes on.
func TestFetchStalls(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.content)))
		w.Write(s.content[:70_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}, s.whole()}
	// A client of its own, which waits for the head of an answer as long as it takes.
	f := &fetching{ctx: t.Context(), set: s.set(), client: &http.Client{}, stall: 50 * time.Millisecond}
	dir := t.TempDir()
	if code := f.run("big", dir); code != 0 {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantText(t, f.stderr.String(), "sent nothing for 50ms; again in 1s")
	wantTree(t, dir, fetched...)
}

// interrupting cancels a context once some bytes of an answer are read.
type interrupting struct {
	after  int
	cancel func()
}

type interruptingBody struct {
	io.ReadCloser
	*interrupting
}

func (i *interrupting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = interruptingBody{answer.Body, i}
	}
	return answer, err
}

func (b interruptingBody) Read(p []byte) (int, error) {
	if b.after == 0 {
		b.cancel()
		return 0, context.Canceled // as the body does, sooner or later
	}
	n, err := io.ReadFull(b.ReadCloser, p[:min(len(p), b.after)])
	b.after -= n
	return n, err
}

func TestFetchInterrupted(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	f := &fetching{ctx: ctx, set: s.set(), client: &http.Client{Transport: &interrupting{60_000, cancel}}}
	if code := f.run("big", dir); code != exit.Interrupted {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantText(t, f.stderr.String(), "60.0 kB of ", "the same command goes on from there\nfubini: interrupted\n")
	wantTree(t, dir, "big.zip.part")
	part, err := os.ReadFile(filepath.Join(dir, "big.zip.part"))
	if err != nil || !bytes.Equal(part, s.content[:60_000]) {
		t.Errorf("part of %d bytes: %v", len(part), err)
	}
	s.fetch(t, 0, dir)
	wantTree(t, dir, fetched...)
	if got := s.header("Range")[1]; got != "bytes=60000-" {
		t.Errorf("range %q", got)
	}

	// While waiting for another try, before anything came.
	ctx, cancel = context.WithCancel(t.Context())
	s.answers = []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		w.WriteHeader(http.StatusBadGateway)
	}}
	f = &fetching{ctx: ctx, set: s.set()}
	dir = t.TempDir()
	if code := f.run("big", dir); code != exit.Interrupted {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantTree(t, dir)

	// While unpacking: the archive stays.
	write(t, s.content, dir, "big.zip")
	if _, _, err := unpack(ctx, cli.NewProgram(io.Discard), filepath.Join(dir, "big.zip"), t.TempDir(), 1e9); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
}

func TestFetchCertificate(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	secure := httptest.NewUnstartedServer(s.Config.Handler)
	secure.Config.ErrorLog = s.Config.ErrorLog
	secure.StartTLS()
	defer secure.Close()
	f := &fetching{ctx: t.Context(), set: s.set()}
	f.set.Files[0].URL = secure.URL + "/big.zip"
	dir := t.TempDir()
	if code := f.run("big", dir); code != exit.Failed {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantText(t, f.stderr.String(), "certificate", "--ignore-certificate")
	if len(f.waits) > 0 {
		t.Error("a certificate does not get better by waiting")
	}
	if code := f.run("big", dir, "--ignore-certificate"); code != 0 {
		t.Fatalf("exit code %d: %s", code, &f.stderr)
	}
	wantTree(t, dir, fetched...)
}

func TestFetchNowhere(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	s.Close() // nobody there
	f := s.fetch(t, exit.Failed, t.TempDir())
	wantText(t, f.stderr.String(), "refused (5 tries)\n")

	dir := t.TempDir()
	write(t, nil, dir, "file")
	f = s.fetch(t, exit.WrongUsage, filepath.Join(dir, "file"))
	wantText(t, f.stderr.String(), "file is not a folder\n")
	write(t, nil, dir, "big")
	f = s.fetch(t, exit.Failed, dir)
	wantText(t, f.stderr.String(), "big is a file, where the folder of the set should be")
}

func TestFetchUnwritable(t *testing.T) {
	s := newPublisher(t)
	s.answers = []http.HandlerFunc{s.whole()}
	t.Run("full", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("no /dev/full")
		}
		dir := t.TempDir()
		if err := os.Symlink("/dev/full", filepath.Join(dir, "big.zip.part")); err != nil {
			t.Fatal(err)
		}
		f := s.fetch(t, exit.Failed, dir)
		wantText(t, f.stderr.String(), "no space left on device; big takes 0.2 MB, and several times that once unpacked\n")
		wantTree(t, dir)
	})
	t.Run("forbidden", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{dir, filepath.Join(dir, "new")} {
			f := s.fetch(t, exit.Failed, target)
			wantText(t, f.stderr.String(), "permission denied\n")
		}
	})
}

func TestUnpackRefuses(t *testing.T) {
	link := func(z *zip.Writer) {
		h := &zip.FileHeader{Name: "set/link"}
		h.SetMode(fs.ModeSymlink | 0o777)
		w, _ := z.CreateHeader(h)
		io.WriteString(w, "/etc/passwd")
	}
	names := func(names ...string) func(z *zip.Writer) {
		return func(z *zip.Writer) {
			for _, name := range names {
				w, _ := z.Create(name)
				io.WriteString(w, "evil")
			}
		}
	}
	for name, c := range map[string]struct {
		write func(z *zip.Writer)
		limit int64
		text  string
	}{
		"up":        {names("set/a", "../evil"), 100, "leads out of the folder"},
		"up within": {names("set/../../evil"), 100, "leads out of the folder"},
		"absolute":  {names("/evil"), 100, "leads out of the folder"},
		"backslash": {names(`set\..\..\evil`), 100, "leads out of the folder"},
		"not clean": {names("set//evil"), 100, "leads out of the folder"},
		"link":      {link, 100, "a link or a device"},
		"twice":     {names("set/evil", "set/evil"), 100, "exists"},
		"in a file": {names("set/evil", "set/evil/evil"), 100, "evil"},
		"large":     {names("set/a", "set/b", "set/c"), 11, "more than the 0.0 kB"},
		"empty":     {names("set/"), 100, "no files in it"},
		"many": {func(z *zip.Writer) {
			for i := range maxEntries + 1 {
				z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store})
			}
		}, 100, "1001 files"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var archive bytes.Buffer
			z := zip.NewWriter(&archive)
			c.write(z)
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			write(t, archive.Bytes(), dir, "set.zip")
			folder := filepath.Join(dir, "a", "b", "c") // so that evil has somewhere to go
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			_, _, err := unpack(t.Context(), cli.NewProgram(io.Discard), filepath.Join(dir, "set.zip"), folder, c.limit)
			if err == nil || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v, want %q", err, c.text)
			}
			for _, path := range tree(t, dir) {
				if strings.HasSuffix(path, "evil") && !strings.HasPrefix(path, "a/b/c/") {
					t.Errorf("wrote %s", path)
				}
			}
		})
	}

	// The whole command leaves the archive, which is what was published, and no folder.
	s := newPublisher(t)
	s.content = zipped(map[string]string{"../evil": "x"})
	s.answers = []http.HandlerFunc{s.whole()}
	dir := t.TempDir()
	f := s.fetch(t, exit.Failed, dir)
	wantText(t, f.stderr.String(), `big.zip: "../evil": a name that leads out of the folder`)
	wantTree(t, dir, "big.zip")
	if code := f.run("big", t.TempDir()); code != exit.Failed {
		t.Errorf("exit code %d", code)
	}
}

// A header that lies about a size is found out.
func TestUnpackSizes(t *testing.T) {
	archive := zipped(map[string]string{"set/ratings.dat": strings.Repeat("1::2::3\n", 1000)})
	at := bytes.LastIndex(archive, []byte("PK\x01\x02")) + 24 // uncompressed size in the central directory
	for _, size := range []uint16{1, 7999, 8001} {
		dir := t.TempDir()
		forged := slices.Clone(archive)
		forged[at], forged[at+1] = byte(size), byte(size>>8)
		write(t, forged, dir, "set.zip")
		if _, _, err := unpack(t.Context(), cli.NewProgram(io.Discard), filepath.Join(dir, "set.zip"), dir, 10_000); err == nil {
			t.Errorf("unpacked 8000 bytes as %d", size)
		}
	}
}

func TestUnpackNames(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string
		left  int
	}{
		{map[string]string{"ml-10M100K/": "", "ml-10M100K/a": "", "ml-10M100K/b/c": ""}, []string{"a", "b", "b/c"}, 0},
		{map[string]string{"a": "", "b/c": ""}, []string{"a", "b", "b/c"}, 0},
		{map[string]string{"b/c": "", "bb/c": ""}, []string{"b", "b/c", "bb", "bb/c"}, 0},
		{map[string]string{"s/a": "", "s/.DS_Store": "", "__MACOSX/": "", "__MACOSX/s/._a": ""}, []string{"a"}, 2},
	} {
		dir, archive := t.TempDir(), filepath.Join(t.TempDir(), "set.zip")
		write(t, zipped(c.files), archive)
		_, left, err := unpack(t.Context(), cli.NewProgram(io.Discard), archive, dir, 100)
		if err != nil || left != c.left {
			t.Errorf("%v: %d left out, %v", c.files, left, err)
		}
		wantTree(t, dir, c.want...)
	}
}

func TestContentRange(t *testing.T) {
	for text, want := range map[string][3]any{
		"bytes 100-199/200": {int64(100), int64(200), true},
		"bytes 0-1/*":       {int64(0), int64(-1), true},
		"bytes */200":       {int64(0), int64(0), false},
		"100-199/200":       {int64(0), int64(0), false},
		"bytes 5/200":       {int64(0), int64(0), false},
		"":                  {int64(0), int64(0), false},
	} {
		from, total, ok := contentRange(text)
		if got := [3]any{from, total, ok}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The table of sets holds together.
func TestDatasets(t *testing.T) {
	sum := regexp.MustCompile(`^[0-9a-f]{64}$`)
	seen := map[string]string{}
	unique := func(what, name string) {
		if seen[what] != "" {
			t.Errorf("%s and %s share %s", seen[what], name, what)
		}
		seen[what] = name
	}
	for _, set := range datasets {
		unique(set.Name, set.Name)
		if set.Ratings <= 0 || set.Licence == "" || len(set.Terms) < 2 || len(set.Terms) > 3 {
			t.Errorf("%s: %+v", set.Name, set)
		}
		for _, line := range set.Terms {
			if len(line) > cli.HelpWidth {
				t.Errorf("%s: %d columns: %s", set.Name, len(line), line)
			}
		}
		if set.archive() && set.Files[0].Name != set.Name+".zip" {
			t.Errorf("%s: an archive named %s", set.Name, set.Files[0].Name)
		}
		for _, file := range set.Files {
			unique(file.URL, set.Name)
			unique(file.SHA256, set.Name)
			address, err := url.Parse(file.URL)
			if err != nil || address.Scheme != "https" || filepath.Base(address.Path) != file.Name {
				t.Errorf("%s: %s", set.Name, file.URL)
			}
			if file.Bytes <= 0 || !sum.MatchString(file.SHA256) {
				t.Errorf("%s: %d bytes, SHA-256 %s", set.Name, file.Bytes, file.SHA256)
			}
		}
	}
}
