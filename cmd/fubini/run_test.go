package main

import "fubini/cmd/fubini/program"

var (
	run      = program.Run
	commands = program.Commands
)
