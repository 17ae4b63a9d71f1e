package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fubini/app/measure"
	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/tools/peak"
)

// program is fubini, built once.
var program = sync.OnceValues(func() (string, error) {
	repository, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "fubini").Output()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "fubini")
	text, err := exec.Command("go", "build", "-C", strings.TrimSpace(string(repository)), "-o", name, "./cmd/fubini").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if name, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(name))
	}
	os.Exit(code)
}

func fubini(tb testing.TB, args ...string) *exec.Cmd {
	name, err := program()
	if err != nil {
		tb.Fatal(err)
	}
	c := exec.CommandContext(tb.Context(), name, args...)
	c.Stderr = os.Stderr
	return c
}

// world is the size of a problem of lists drawn at random.
type world struct {
	users, listed, levels, catalogue, hidden int
}

// write draws everybody's ratings, popular items more often than others.
func (b world) write(name string) error {
	return write(name, func(w io.Writer) error {
		r := rng.Stream(seed, "bench training")
		fmt.Fprintln(w, "user,item,rating")
		for u := range b.users {
			chosen := map[int]bool{}
			for len(chosen) < b.listed {
				x := r.Float64()
				if i := int(x * x * float64(b.catalogue)); !chosen[i] {
					chosen[i] = true
					fmt.Fprintf(w, "%d,%d,%d\n", u, i, 1+r.IntN(b.levels))
				}
			}
		}
		return nil
	})
}

// BenchmarkTrain measures epochs of the command, by model and by size.
func BenchmarkTrain(b *testing.B) {
	movieLens := world{users: 3466, listed: 20, levels: 5, catalogue: 1853, hidden: 50}
	for _, model := range []string{"latent-osm", "latent-osm-paper"} {
		b.Run("MovieLens 1M/"+model, func(b *testing.B) { train(b, model, movieLens) })
		for _, factors := range [][4]int{{1, 1, 1, 1}, {4, 1, 1, 1}, {1, 4, 1, 1}, {1, 1, 4, 1}, {1, 1, 1, 4}} {
			w := world{2000 * factors[0], 20 * factors[1], 5 * factors[2], 1853, 50 * factors[3]}
			b.Run(fmt.Sprintf("users %d, N %d, tiers %d, units %d/%s", w.users, w.listed, w.levels, w.hidden, model), func(b *testing.B) { train(b, model, w) })
		}
	}
	if os.Getenv("FUBINI_LONG") != "" {
		netflix := world{users: 480_000, listed: 50, levels: 5, catalogue: 17_770, hidden: 50}
		b.Run("Netflix/latent-osm", func(b *testing.B) { train(b, "latent-osm", netflix) })
	}
}

func train(b *testing.B, model string, w world) {
	data := filepath.Join(b.TempDir(), "ratings.csv")
	if err := w.write(data); err != nil {
		b.Fatal(err)
	}
	const short, long = 2, 12
	seconds, memory := map[int]float64{}, 0.0
	for b.Loop() {
		trainTwice(b, data, model, w, []int{short, long}, seconds, &memory)
	}
	b.ReportMetric((seconds[long]-seconds[short])/(long-short), "s/epoch")
	b.ReportMetric(memory, "MB")
	b.ReportMetric(0, "ns/op")
}

func trainTwice(b *testing.B, data, model string, w world, lengths []int, seconds map[int]float64, memory *float64) {
	for _, epochs := range lengths {
		c := fubini(b, "train", data, "-o", data+".model", "--model", model, "--hidden", strconv.Itoa(w.hidden), "--epochs", strconv.Itoa(epochs), "--aim", "taste", "--calibrate", "0", "--quiet")
		used, err := peak.Run(c)
		if err != nil {
			b.Fatal(err)
		}
		seconds[epochs], *memory = used.Seconds, used.Memory
	}
}

// BenchmarkRecommend measures batches of the command.
func BenchmarkRecommend(b *testing.B) {
	people := 20_000
	if os.Getenv("FUBINI_LONG") != "" {
		people = 1_000_000
	}
	cores := runtime.GOMAXPROCS(0)
	b.Run("ranking/one core", func(b *testing.B) { batch(b, measure.Model, min(people, 20_000), 1, "--no-odds") })
	b.Run("ranking/all cores", func(b *testing.B) { batch(b, measure.Model, people, cores, "--no-odds") })
	b.Run("ranking and odds/all cores", func(b *testing.B) { batch(b, measure.Model, 2000, cores) })
	b.Run("ranking by a model of interest too/one core", func(b *testing.B) { batch(b, measure.Whole, 100_000, 1, "--no-odds") })
	b.Run("ranking by taste, a model of interest too/one core", func(b *testing.B) {
		batch(b, measure.Whole, 100_000, 1, "--no-odds", "--aim", "taste")
	})
	b.Run("ranking by a model of interest too/all cores", func(b *testing.B) { batch(b, measure.Whole, max(people, 100_000), cores, "--no-odds") })
}

func batch(b *testing.B, make func(seed uint64) *modelstore.Saved, people, cores int, more ...string) {
	model := filepath.Join(b.TempDir(), "world.safetensors")
	if err := write(model, func(w io.Writer) error { return writeModel(w, make(seed)) }); err != nil {
		b.Fatal(err)
	}
	var perSecond, early, late float64
	for b.Loop() {
		perSecond, early, late = batchOnce(b, model, people, cores, more)
	}
	b.ReportMetric(perSecond, "people/s")
	b.ReportMetric(early, "MB,_first_tenth")
	b.ReportMetric(late, "MB,_last_tenth")
	b.ReportMetric(0, "ns/op")
}

func batchOnce(b *testing.B, model string, people, cores int, more []string) (perSecond, early, late float64) {
	c := fubini(b, append([]string{"recommend", model, "--users", "-", "--min-support", "0", "--format", "jsonl", "--quiet", "-j", strconv.Itoa(cores)}, more...)...)
	c.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	to, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	all, err := io.Copy(io.Discard, measure.Ratings(people))
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	sent, from := int64(0), measure.Ratings(people)
	for sent < all {
		n, err := io.CopyN(to, from, min(all-sent, max(1, all/100)))
		if err != nil {
			b.Fatal(err)
		}
		sent += n
		memory := residentMB(c.Process.Pid)
		if sent <= all/10 {
			early = max(early, memory)
		}
		if sent >= all-all/10 {
			late = max(late, memory)
		}
	}
	if err := to.Close(); err != nil {
		b.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		b.Fatal(err)
	}
	return float64(people) / time.Since(start).Seconds(), early, late
}

// residentMB is the memory of a process, 0 where the system does not report it.
func residentMB(process int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kilobytes / 1e3
		}
	}
	return 0
}
