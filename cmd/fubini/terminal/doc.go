// Package terminal shows a person how far work has come, and keeps texts from files from steering the terminal.
package terminal
