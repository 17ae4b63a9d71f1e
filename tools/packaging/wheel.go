package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tags are the platform tags of wheels. The program is static, so that any Linux will do: both families of C libraries are named.
var tags = map[platform]string{
	{"linux", "amd64"}:   "manylinux2014_x86_64.musllinux_1_1_x86_64",
	{"linux", "arm64"}:   "manylinux2014_aarch64.musllinux_1_1_aarch64",
	{"darwin", "amd64"}:  "macosx_12_0_x86_64",
	{"darwin", "arm64"}:  "macosx_12_0_arm64",
	{"windows", "amd64"}: "win_amd64",
	{"windows", "arm64"}: "win_arm64",
}

// buildWheel builds the program and writes its wheel into a folder.
func (s *source) buildWheel(ctx context.Context, p platform, folder string) error {
	program, err := s.build(ctx, p)
	if err != nil {
		return err
	}
	name, content, err := s.wheel(p, program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(folder, name)
	fmt.Println(path)
	return os.WriteFile(path, content, 0o666)
}

// pythonVersion is a version as Python writes it: 1.3.0rc1 for v1.3.0-rc.1, and 0.0.0 where there is none.
func pythonVersion(version string) string {
	core, pre, found := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	switch {
	case version == "":
		return "0.0.0"
	case found:
		kind, number, _ := strings.Cut(pre, ".")
		short := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[kind]
		if short == "" {
			short, number = ".dev", "0"
		}
		return core + short + number
	}
	return core
}

// wheel is the file of a wheel, by its name: the Python package, the program in it, and what pip reads.
func (s *source) wheel(p platform, program []byte) (name string, content []byte, err error) {
	tag, known := tags[p]
	if !known {
		return "", nil, fmt.Errorf("there is no wheel for %s", p)
	}
	version := pythonVersion(s.version)
	entries := []entry{{"fubini/bin/" + p.program(), program, true}}
	files := os.DirFS(filepath.Join(s.root, "python"))
	err = fs.WalkDir(files, "fubini", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") && !strings.HasSuffix(path, "py.typed") {
			return err
		}
		text, err := fs.ReadFile(files, path)
		entries = append(entries, entry{path, text, false})
		return err
	})
	if err != nil {
		return "", nil, err
	}
	about := "fubini-" + version + ".dist-info/"
	readme, err := fs.ReadFile(files, "README.md")
	if err != nil {
		return "", nil, err
	}
	licence, err := os.ReadFile(filepath.Join(s.root, "LICENSE"))
	if err != nil {
		return "", nil, err
	}
	third, err := os.ReadFile(filepath.Join(s.root, notices))
	if err != nil {
		return "", nil, err
	}
	metadata := fmt.Sprintf(`Metadata-Version: 2.1
Name: fubini
Version: %s
Summary: Rankings with ties: worths from votes, tastes from ratings and tier lists, recommendations with odds
License: Apache-2.0
License-File: LICENSE
License-File: THIRD-PARTY
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars; extra == "polars"
Provides-Extra: pyarrow
Requires-Dist: pyarrow; extra == "pyarrow"
Provides-Extra: sklearn
Requires-Dist: scikit-learn; extra == "sklearn"
Provides-Extra: lenskit
Requires-Dist: lenskit>=2025.1; extra == "lenskit"
Description-Content-Type: text/markdown

%s`, version, readme)
	var wheelTags strings.Builder
	for _, each := range strings.Split(tag, ".") {
		fmt.Fprintf(&wheelTags, "Tag: py3-none-%s\n", each)
	}
	entries = append(entries,
		entry{about + "METADATA", []byte(metadata), false},
		entry{about + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: fubini\nRoot-Is-Purelib: false\n" + wheelTags.String()), false},
		entry{about + "entry_points.txt", []byte("[console_scripts]\nfubini = fubini._program:main\n"), false},
		entry{about + "LICENSE", licence, false}, entry{about + "THIRD-PARTY", third, false})
	entries = append(entries, entry{about + "RECORD", record(sorted(entries), about+"RECORD"), false})
	content, err = zipped(entries, s.time)
	return fmt.Sprintf("fubini-%s-py3-none-%s.whl", version, tag), content, err
}

// record lists the files with their checksums, as pip checks them.
func record(entries []entry, own string) []byte {
	var text bytes.Buffer
	for _, e := range entries {
		sum := sha256.Sum256(e.content)
		fmt.Fprintf(&text, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.content))
	}
	fmt.Fprintf(&text, "%s,,\n", own)
	return text.Bytes()
}

func fileMode(e entry) fs.FileMode { return fs.FileMode(e.mode()) }
