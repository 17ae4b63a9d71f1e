package models

import (
	"bufio"
	"context"
	"fmt"
	"runtime"

	"fubini/cmd/fubini/cli"
	"fubini/paper/league"
)

// calibration writes how far odds hold: tables and pictures.
func (p *program) calibration(ctx context.Context, c league.Calibration, write func(ending string, write func(w *bufio.Writer) error) error) error {
	c.Observe = func(what string) { p.Tell("%s ...", what) }
	rows, err := c.Run(ctx)
	if err != nil {
		return err
	}
	if err := write(".csv", func(w *bufio.Writer) error { return league.WriteCalibrationCSV(w, rows) }); err != nil {
		return err
	}
	for _, kind := range []string{"svg", "png"} {
		drawn := []league.Odds{rows[0], rows[2]} // as they are used, and before calibration
		if err := write("."+kind, func(w *bufio.Writer) error { return league.ReliabilityPicture(w, drawn, kind) }); err != nil {
			return err
		}
	}
	return write(".md", func(w *bufio.Writer) error {
		fmt.Fprintf(w, "Data %s, fingerprint %s; %d ratings given; seed %d; fubini %s, %s/%s.\n",
			c.Data.Name, c.Data.Set.Fingerprint(), c.Given, c.Seed, cli.BuildVersion().Version, runtime.GOOS, runtime.GOARCH)
		return league.WriteCalibration(w, rows)
	})
}
