// Fubini computes with rankings that have ties.
//
// This folder is the door of the program: it reads arguments and the environment, opens paths, and prints. The maths is
// below it, in packages that do none of this. The packages, in the order of their imports:
//
//   - terminal: progress, and text that cannot steer a terminal;
//   - cli: the frame of all commands: global flags, values, files, results, help, errors;
//   - input: ratings and models that commands read;
//   - fetch, data, draw, models, people, ranking, serve: the commands;
//   - program: the list of all commands, for this program and for others that register models of their own.
//
// A command NAME is a file NAME.go with a function that makes it, a help page help/NAME.txt beside it, and a line in
// the list of commands in package program.
package main

import (
	"fubini/app/build"
	"fubini/cmd/fubini/program"
)

// release is the version that an image or a release is built as, by -ldflags "-X main.release=v1.2.0".
var release string

func main() {
	build.Release = release
	program.Main()
}
