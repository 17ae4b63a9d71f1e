package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
)

// checkProgram looks at a program that cannot be run here: its header must be of the platform, a Linux program needs no loader, and the
// build facts in it name the platform, the commit and a build without C.
func (s *source) checkProgram(p platform, program []byte) error {
	if err := checkHeader(p, bytes.NewReader(program)); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	facts := map[string]string{}
	for _, fact := range info.Settings {
		facts[fact.Key] = fact.Value
	}
	for key, want := range map[string]string{"GOOS": p.os, "GOARCH": p.arch, "CGO_ENABLED": "0", "-trimpath": "true", "vcs.revision": s.commit, "vcs.modified": "false"} {
		if facts[key] != want {
			remedy := ""
			if facts["vcs.revision"] == "" {
				remedy = ": make the release in a clone, because Go writes no commit in a further worktree of git"
			}
			return fmt.Errorf("%s: the build fact %s is %q, want %q%s", p, key, facts[key], want, remedy)
		}
	}
	if !bytes.Contains(program, []byte(s.version)) {
		return fmt.Errorf("%s: the program does not contain the version %s", p, s.version)
	}
	return nil
}

// checkHeader reads the header of a program.
func checkHeader(p platform, r *bytes.Reader) error {
	var machine string
	switch p.os {
	case "linux":
		f, err := elf.NewFile(r)
		if err != nil {
			return err
		}
		machine = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine]
		for _, part := range f.Progs {
			if part.Type == elf.PT_INTERP {
				return fmt.Errorf("it needs a loader: it is not static")
			}
		}
	case "darwin":
		f, err := macho.NewFile(r)
		if err != nil {
			return err
		}
		machine = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]
	case "windows":
		f, err := pe.NewFile(r)
		if err != nil {
			return err
		}
		machine = map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]
	}
	if machine != p.arch {
		return fmt.Errorf("it is for the processor %q", machine)
	}
	return nil
}
