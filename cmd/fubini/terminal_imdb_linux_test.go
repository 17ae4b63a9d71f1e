package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A session in a terminal: an export of IMDb becomes recommendations by one command, which asks what a title means that two films have.
func TestIMDbInATerminal(t *testing.T) {
	skipIfShort(t)
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"ml/ratings.csv": "userId,movieId,rating,timestamp\n1,1,5,1\n1,2,3,1\n1,3,4,1\n1,4,2,1\n1,6,4,1\n2,1,4,1\n2,3,5,1\n2,5,2,1\n2,6,3,1\n3,1,2,1\n3,2,1,1\n3,4,5,1\n3,5,4,1\n",
		"ml/movies.csv":  "movieId,title,genres\n1,\"Matrix, The (1999)\",Action\n2,\"Matrix Reloaded, The (2003)\",Action\n3,Alien (1979),Horror\n4,Sabrina (1995),Comedy\n5,Sabrina (1954),Comedy\n6,Heat (1995),Action\n",
		"ml/links.csv":   "movieId,imdbId,tmdbId\n1,0133093,603\n3,0078748,348\n",
		"imdb.csv": "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\n" +
			"tt0133093,10,2021-03-04,Matriks,The Matrix,,Movie,8.7,136,1999,Action,1,1999-03-31,X\ntt0078748,9,2021-03-04,Alien,Alien,,Movie,8.5,117,1979,Horror,1,1979-05-25,X\ntt9999999,3,2021-03-04,Sabrina,Sabrina,,Movie,7.6,113,,Comedy,1,,X\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, filepath.Join(folder, "fubini")); err != nil { // testscript.Main runs the command of that name
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"train", filepath.Join(folder, "ml"), "-o", filepath.Join(folder, "m.safetensors"), "--hidden", "2", "--epochs", "5", "--quiet"}, nil, os.Stdout, os.Stderr); code != 0 {
		t.Fatalf("train ends with %d", code)
	}
	socket := filepath.Join(folder, "tmux")
	ask := func(args ...string) string {
		command := exec.CommandContext(t.Context(), tmux, append([]string{"-S", socket}, args...)...)
		command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "TERM=xterm-256color", "PS1=$ ")
		said, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v: %s", args, err, said)
		}
		return string(said)
	}
	ask("-f", "/dev/null", "new-session", "-d", "-s", "imdb", "-x", "140", "-y", "40", "-c", folder, "sh")
	defer ask("kill-server")
	shows := func(text string) (screen string) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if screen = ask("capture-pane", "-p", "-t", "imdb"); strings.Contains(screen, text) {
				return screen
			}
		}
		t.Fatalf("the terminal does not show %q:\n%s", text, screen)
		return ""
	}
	ask("send-keys", "-t", "imdb", "fubini recommend m.safetensors --tiers imdb.csv --min-support 0", "Enter")
	if screen := shows("which one?"); !strings.Contains(screen, `"Sabrina" may be`) || !strings.Contains(screen, "Sabrina (1954) [5]") || !strings.Contains(screen, "Sabrina (1995) [4]") {
		t.Errorf("the question:\n%s", screen)
	}
	ask("send-keys", "-t", "imdb", "1", "Enter")
	screen := shows("Heat (1995)")
	t.Logf("the terminal shows\n%s", screen)
	_, table, _ := strings.Cut(screen, "which one?")
	if !strings.Contains(table, "The Matrix Reloaded (2003)") || strings.Contains(table, "Alien (1979)") || strings.Contains(table, "The Matrix (1999)") {
		t.Errorf("after the answer:\n%s", screen)
	}
}
