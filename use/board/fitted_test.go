package board_test

import (
	"math"
	"strings"
	"testing"

	"fubini/model/osm"
	"fubini/use/board"
)

// three is a board of three items, the second the best; the first and the last met.
func three() *board.Fitted {
	return &board.Fitted{
		Report: board.Report{Level: 0.95}, Model: &osm.Visible{Worths: []float64{0, 1, -1}, Nu: 0.5, Deviations: []float64{0.2, -0.2, 0}},
		Covariance: []float64{0.1, 0, 0, 0, 0.2, 0.05, 0, 0.05, 0.3}, Items: []string{"x", "y", "z"}, Names: []string{"X", "Y", "Z"}, Seed: 3,
		Counted:   []board.Counted{{I: 0, J: 2, Votes: [3]float64{5, 2, 1}, Expected: [3]float64{4, 2.5, 1.5}, P: 0.4}},
		TieErrors: []float64{0.3, 0.4, 0.5},
	}
}

func TestFitted(t *testing.T) {
	f := three()
	if err := f.Prepare(); err != nil {
		t.Fatal(err)
	}
	r := f.Report
	if len(r.Items) != 3 || r.Items[0].ID != "y" || *r.Items[0].Name != "Y" || *r.Items[0].Tie != -0.2 || *r.Items[0].TieError != 0.4 || r.Items[2].ID != "z" || r.Critical != f.Critical {
		t.Errorf("%+v", r)
	}
	p := f.Pair(f.Board, 2, 0)
	if p.A != "z" || p.B != "x" || *p.Counted != [3]float64{1, 2, 5} || *p.Expected != [3]float64{1.5, 2.5, 4} || *p.P != 0.4 || p.Difference != -1 || !(math.Abs(p.StdError-math.Sqrt(0.4)) <= 1e-12) {
		t.Errorf("%+v", p)
	}
	// Potentials by hand: e^(-1/2), e^(0.5 + 0.1), e^(1/2).
	total := math.Exp(-0.5) + math.Exp(0.6) + math.Exp(0.5)
	for k, log := range []float64{-0.5, 0.6, 0.5} {
		if want := math.Exp(log) / total; !(math.Abs(p.Fitted[k]-want) <= 1e-12) {
			t.Errorf("outcome %d: %g, by hand %g", k, p.Fitted[k], want)
		}
	}
	if met := f.Pair(f.Board, 0, 1); met.Counted != nil || met.Expected != nil || met.P != nil {
		t.Errorf("x and y never met: %+v", met)
	}
	all, err := f.Pairs()
	if err != nil {
		t.Fatal(err)
	}
	// On the board x is second and z is third.
	if all.Items[1] != "x" || len(all.Counted) != 1 || all.Counted[0] != [5]float64{1, 2, 5, 2, 1} || len(all.Expected) != 1 || all.Expected[0] != [3]float64{4, 2.5, 1.5} || all.Win[2*3+1] != p.Fitted[0] || all.Tie[1*3+2] != p.Fitted[1] || all.Win[0] != 0 {
		t.Errorf("%+v", all)
	}
}

// A board at another level is that which a new one would be; quasi-variances that are known are not computed again.
func TestBoardAtAnotherLevel(t *testing.T) {
	f := three()
	if err := f.Prepare(); err != nil {
		t.Fatal(err)
	}
	half, err := f.At(0.5)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := board.New(f.Model.Worths, f.Covariance, board.Options{Level: 0.5, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if half.Critical != direct.Critical || !(half.Critical < f.Critical) {
		t.Errorf("critical values %g at 50 %%, directly %g, at 95 %% %g", half.Critical, direct.Critical, f.Critical)
	}
	for k := range direct.Rows {
		if half.Rows[k] != direct.Rows[k] {
			t.Errorf("row %d: %+v, directly %+v", k, half.Rows[k], direct.Rows[k])
		}
	}
	if r := f.ReportOf(half); r.Level != 0.5 || r.Critical != half.Critical || r.Items[0].Low != half.Rows[0].Low || f.Report.Level != 0.95 {
		t.Errorf("%+v", r)
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN(), math.Nextafter(1, 0)} {
		if _, err := f.At(level); err == nil {
			t.Errorf("a board at level %g", level)
		}
	}
	known := three()
	known.Quasi = []float64{4, 9, 16}
	if err := known.Prepare(); err != nil || known.Report.Items[0].Quasi != 3 {
		t.Errorf("quasi %g, %v", known.Report.Items[0].Quasi, err)
	}
}

// Another scale moves worths and their intervals, and stretches errors; the report itself stays.
func TestReportOnAnotherScale(t *testing.T) {
	f := three()
	if err := f.Prepare(); err != nil {
		t.Fatal(err)
	}
	f.Report.Coefficients = []board.Coefficient{{Name: "nu", Value: 0.5, StdError: 0.1}, {Name: "home", Value: 0.2, StdError: 0.1, OnWorths: true}}
	f.Report.Influence = &board.Influence{Lists: []board.InfluentialVote{{Effect: 0.01}}}
	elo := f.Report.On(100, 1000)
	if c := elo.Coefficients; c[0].Value != 0.5 || c[1].Value != 20 || c[1].StdError != 10 || f.Report.Coefficients[1].Value != 0.2 {
		t.Errorf("coefficients %+v from %+v", c, f.Report.Coefficients)
	}
	if elo.Influence.Lists[0].Effect != 1 || f.Report.Influence.Lists[0].Effect != 0.01 {
		t.Errorf("effects %+v from %+v", elo.Influence, f.Report.Influence)
	}
	a, b := f.Report.Items[0], elo.Items[0]
	if b.Worth != 1100 || b.StdError != 100*a.StdError || b.Low != 1000+100*a.Low || b.High != 1000+100*a.High || b.Quasi != 100*a.Quasi || a.Worth != 1 {
		t.Errorf("%+v from %+v", b, a)
	}
}

// What votes leave open is said with names, and lists of them are cut.
func TestOpenInWords(t *testing.T) {
	o := &board.Undecided{Apart: [][]string{{"a", "b", "c", "d", "e", "f"}, {"x"}}, OneSided: [][]string{{"p"}, {"q"}}}
	want := "No vote compares items of one of these groups with those of another: A, B, C, D, and 2 more; X. Their order against one another comes from the prior alone. " +
		"Between any two of these groups one side always won: P; Q. How far they are apart comes from the prior."
	if got := o.Words(strings.ToUpper); got != want {
		t.Error(got)
	}
}
