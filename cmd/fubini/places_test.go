package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
)

// everyCommand calls do with each command of the program that does something itself.
func everyCommand(t *testing.T, do func(t *testing.T, cmd *cobra.Command)) {
	t.Helper()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.HasSubCommands() {
			t.Run(strings.ReplaceAll(cmd.CommandPath(), " ", "_"), func(t *testing.T) { do(t, cmd) })
		}
		for _, each := range cmd.Commands() {
			walk(each)
		}
	}
	walk(cli.NewRoot(cli.NewProgram(io.Discard), commands))
}

// usual are arguments that a command takes, by how its usage line calls them. Names of
// files are of files that do not exist.
func usual(t *testing.T, cmd *cobra.Command) (args []string) {
	t.Helper()
	words := map[string]string{
		"DATA": "nowhere.csv", "LISTS": "nowhere.csv", "MODEL": "nowhere.safetensors", "FILE": "nowhere.csv", "IN": "nowhere.csv", "OUT": "-", "NAME": "ml-100k", "DIR": "nowhere",
		"ID": "x", "[QUERY]": "x", "TARGET": "table2", "URL": "http://127.0.0.1:1", "bash|zsh|fish|powershell": "bash",
	}
	fields := strings.Fields(cmd.Use)[1:]
	for k, word := range fields {
		isValue := k > 0 && strings.HasPrefix(fields[k-1], "-")
		if strings.HasPrefix(word, "-") || isValue || word == "|" {
			continue
		}
		value, known := words[strings.TrimSuffix(word, "...")]
		if !known {
			t.Errorf("%q: an argument %q that this test does not know", cmd.Use, word)
		}
		args = append(args, value)
	}
	return append(strings.Fields(cmd.CommandPath())[1:], args...)
}

// roles are the flags of a command with a role, by name.
func roles(cmd *cobra.Command, wanted ...string) (names []string) {
	each := func(f *pflag.Flag) {
		if of := f.Annotations[cli.Role]; len(of) > 0 && slices.Contains(wanted, of[0]) {
			names = append(names, f.Name)
		}
	}
	cmd.Flags().VisitAll(each)
	cmd.InheritedFlags().VisitAll(each)
	return names
}

// refused runs a command that must fail with one line, which names the flag.
func refused(t *testing.T, args []string, flag, why string) {
	t.Helper()
	var out, messages bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &out, &messages)
	line := messages.String()
	if code == 0 || out.Len() > 0 || !regexp.MustCompile("^fubini: "+flag+": .*"+why).MatchString(line) || strings.Count(line, "\n") != 1 {
		t.Errorf("fubini %s: exit code %d, stdout %q, stderr %q; want a line that begins with %s and tells of %q", strings.Join(args, " "), code, out.String(), line, flag, why)
	}
}

// Flags that name files say what they are for, so that outputs are checked.
func TestFilesHaveRoles(t *testing.T) {
	everyCommand(t, func(t *testing.T, cmd *cobra.Command) {
		check := func(f *pflag.Flag) {
			path, _ := regexp.MatchString(`^(FILES?|DIR|DATA|MODEL|NEW|IN|OUT)$`, f.Value.Type())
			if has := len(f.Annotations[cli.Role]) == 1; path != has && f.Name != "db" {
				t.Errorf("--%s %s: has a role: %v; name it by addInput or addOutput", f.Name, f.Value.Type(), has)
			}
		}
		cmd.Flags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
		named := regexp.MustCompile(`^(DATA|MODEL|FILE|IN|OUT)\b`)
		fields := strings.Fields(cmd.Use)
		for k, word := range fields {
			if named.MatchString(word) && k > 0 && !strings.HasPrefix(fields[k-1], "-") {
				name := strings.TrimSuffix(word, "...")
				if !slices.Contains(cli.ArgumentNames(cmd), name) || cli.ArgumentRoles[name] == "" {
					t.Errorf("%q: argument %s has no role", cmd.Use, word)
				}
			}
		}
	})
}

// No command does anything before its outputs can be written: its inputs do not exist,
// and yet it is the output that it complains of. And it names the right flag.
func TestOutputsAreCheckedFirst(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("file", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	count := 0
	everyCommand(t, func(t *testing.T, cmd *cobra.Command) {
		for _, name := range roles(cmd, cli.WritesFile, cli.WritesInto, cli.WritesFolder) {
			count++
			f := cmd.Flag(name)
			ending := map[string]string{"plot": ".svg", "heat": ".svg"}[name]
			args := usual(t, cmd)
			refused(t, append(args, "--"+name, "file/below/x"+ending), "--"+name, `file/below/x.*not a directory`)
			if f.Annotations[cli.Role][0] == cli.WritesFile && cmd.Annotations[cli.FolderWith] != "always" {
				refused(t, append(args, "--"+name, "nosuch/x"+ending), "--"+name, `nosuch/x.*no such file or directory`)
			}
			if os.Geteuid() != 0 { // whom permissions do not stop
				locked := filepath.Join(t.TempDir(), "locked")
				if err := os.Mkdir(locked, 0o555); err != nil {
					t.Fatal(err)
				}
				refused(t, append(args, "--"+name, filepath.Join(locked, "x"+ending)), "--"+name, `locked.*permission denied`)
			}
		}
	})
	if count < 20 {
		t.Errorf("%d outputs found", count)
	}
	refused(t, []string{"data", "convert", "nowhere.csv", "nosuch/x.csv"}, "OUT", "nosuch/x.csv: no such file")
	refused(t, []string{"recommend", "nowhere.safetensors", "--users", "nowhere.csv", "--shards", "2", "-o", "file"}, "--output", "file is a file, not a folder")
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// No command writes over what it reads, or twice to one file, by whatever name.
func TestNothingIsWrittenOverItsInput(t *testing.T) {
	t.Chdir(t.TempDir())
	const before = "ann,alien,5\nann,brazil,3\n"
	for _, name := range []string{"same.csv", "same.svg"} {
		if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(name, "link-"+name); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(name, "hard-"+name); err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	everyCommand(t, func(t *testing.T, cmd *cobra.Command) {
		outputs := roles(cmd, cli.WritesFile, cli.WritesInto)
		for _, out := range outputs {
			if out == "output" && cmd.Annotations[cli.FolderWith] == "always" {
				continue
			}
			file := "same.csv"
			if out == "plot" || out == "heat" {
				file = "same.svg"
			}
			for _, in := range roles(cmd, cli.ReadsFile) {
				value := file
				if in == "db" {
					value = "sqlite:" + file
				}
				if slices.Contains(cmd.Flag(in).Annotations[cli.Onward], out) {
					continue
				}
				for _, alias := range []string{file, "./" + file, "link-" + file, "hard-" + file} {
					count++
					refused(t, append(usual(t, cmd), "--"+in, value, "--"+out, alias), "--"+out, "would be written over, and it is read by --"+in)
				}
			}
			args := usual(t, cmd)
			for k, name := range cli.ArgumentNames(cmd) {
				if cli.ArgumentRoles[name] == cli.ReadsFile {
					count++
					args := slices.Clone(args)
					args[len(strings.Fields(cmd.CommandPath()))-1+k] = file
					refused(t, append(args, "--"+out, "link-"+file), "--"+out, "would be written over, and it is read by ")
				}
			}
			for _, other := range outputs {
				if out == other || other == "plot" || other == "heat" {
					continue
				}
				count++
				either := "--(" + out + "|" + other + ")"
				refused(t, append(args, "--"+out, "new"+filepath.Ext(file), "--"+other, "./new"+filepath.Ext(file)), either, "is written by "+either+" as well")
			}
		}
	})
	if count < 40 {
		t.Errorf("%d pairs found", count)
	}
	refused(t, []string{"data", "convert", "same.csv", "hard-same.csv"}, "OUT", "would be written over, and it is read by IN")
	for _, name := range []string{"same.csv", "same.svg"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != before {
			t.Errorf("%s is now %q, %v", name, text, err)
		}
	}
}

// A file of a folder that is read, or written, is one of its own.
func TestFilesOfFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"ml/ratings.csv", "ml/model.safetensors", "split/train.tsv", "split/test.tsv"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("ann\talien\t5\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, []string{"train", "ml", "-o", "ml/ratings.csv"}, "--output", "would be written over")
	refused(t, []string{"evaluate", "--split", "split", "--models", "item-mean", "--per-user", "split/test.tsv"}, "--per-user", "would be written over")
	refused(t, []string{"data", "split", "split/train.tsv", "--given", "1", "-o", "split"}, "--output", "would be written over")
}
