package likelihood

import (
	"context"
	"fmt"
	"math"
)

// Learn finds the precisions of the prior that are above zero in o by the data: it maximises their marginal likelihood by
// Laplace's approximation (MacKay's fixed point), starting from those given, that of worths unless o.Fixed says otherwise.
// Worths have one more, of variance 1/5, added: without, votes that show no differences would make them certain to be equal.
// The precision of the spread of reliabilities stays.
func (d *Data) Learn(ctx context.Context, o Options) (*Fit, error) {
	if err := d.check(o.Prior); err != nil {
		return nil, err
	}
	theta, alike, err := d.start(ctx, o)
	if err != nil {
		return nil, err
	}
	unsettled := ""
	for range 200 {
		f, err := d.maximise(ctx, theta, o)
		if err != nil {
			return nil, err
		}
		c, err := f.Inverse()
		if err != nil {
			return nil, err
		}
		unsettled = ""
		update := func(what string, precision *float64, first, end int, lost float64) {
			if *precision == 0 || end == first {
				return
			}
			const extra, unit = 1, 0.2
			var square, spread float64
			for k := first; k < end; k++ {
				square += f.Theta[k] * f.Theta[k]
				spread += c[k*d.Global+k]
			}
			before, determined := *precision, float64(end-first)-lost-*precision*spread // by the votes, not by the prior
			*precision = math.Min(1e6, (math.Max(determined, 1e-3)+extra)/(square+extra*unit))
			if math.Abs(math.Log(*precision/before)) > 1e-3 {
				unsettled = what
			}
		}
		if !o.Fixed {
			update("worths", &o.Prior.Worth, 0, d.Items, 1)
		}
		update("tie deviations", &o.Prior.Tie, d.Layout.Tie, d.Distance, 1)
		update("tier sizes", &o.Prior.Size, d.Layout.Size, d.W, 0)
		if theta, d = f.Theta, f.Data; unsettled == "" {
			f.alike = alike
			return f, nil
		}
	}
	return nil, fmt.Errorf("%w: the strength of the prior on %s goes up and down; give the precision of that on worths (--prior X)", ErrNotConverged, unsettled)
}
