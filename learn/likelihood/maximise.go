package likelihood

import (
	"context"
	"slices"
)

// Maximise finds the maximum of the likelihood, or with a prior of the posterior density.
func (d *Data) Maximise(ctx context.Context, o Options) (*Fit, error) {
	if err := d.check(o.Prior); err != nil {
		return nil, err
	}
	start, alike, err := d.start(ctx, o)
	if err != nil {
		return nil, err
	}
	f, err := d.maximise(ctx, start, o)
	if f != nil {
		f.alike = alike
	}
	return f, err
}

// maximise climbs from a start: to the nearest maximum.
func (d *Data) maximise(ctx context.Context, start []float64, o Options) (*Fit, error) {
	f := &Fit{Data: d, Theta: slices.Clone(start), Prior: o.Prior, jobs: o.Jobs}
	if d.Raters > 0 {
		return f.climbWithRaters(ctx, o)
	}
	return f.climb(ctx, o, nil)
}

// start is where a fit starts. Of votes that take a table of subsets that is the maximum of the slot likelihood, which is quick. With
// reliabilities it is the fit where all raters are alike, whose log likelihood is given too.
func (d *Data) start(ctx context.Context, o Options) (theta []float64, alike float64, err error) {
	theta = d.Start()
	if d.Raters == 0 {
		if d.Tabled() {
			slots := *d.Data
			slots.Slots = true
			if f, err := (&Data{Data: &slots}).maximise(ctx, theta, o); err == nil {
				return f.Theta, 0, nil
			}
		}
		return theta, 0, ctx.Err()
	}
	pooled := d.raters.Common
	if pooled == nil { // of other weights
		all, _ := d.Pooled()
		pooled = all.WithoutRaters()
	}
	f, err := (&Data{Data: pooled}).Maximise(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	copy(theta, f.Theta[:d.Spread])
	return theta, f.LogLikelihood, nil
}

// climbWithRaters is [Fit.climb] on the likelihood with the reliabilities of raters integrated out. The points of the integrals
// start at those of an earlier fit if there are some, and follow the posteriors of raters. At the maximum it computes the observed
// information, and the posteriors of all raters.
func (f *Fit) climbWithRaters(ctx context.Context, o Options) (*Fit, error) {
	placed, err := f.raters.Placed(ctx, f.Theta, f.jobs)
	if err != nil {
		return nil, err
	}
	f.Data = &Data{f.Data.Data, placed} // others may share the data
	climbed, err := f.climb(ctx, o, func(here *point, last bool) (*point, error) {
		slack := 3.0 // how far the points may be from the posteriors
		if last {
			slack = 1
		}
		moved := f.raters.Moved(f.Theta, here.raters, slack)
		if moved == nil {
			return nil, nil
		}
		f.Data = &Data{f.Data.Data, moved}
		return f.evaluate(ctx, f.Theta, o.Jobs, true)
	})
	if err != nil {
		return climbed, err
	}
	if f.point, err = ofRaters(f.raters.Observed(ctx, f.Theta, f.jobs)); err != nil {
		return f, err
	}
	f.LogLikelihood = f.point.value
	for r := range f.point.raters {
		f.Theta[f.Global+r] = f.point.raters[r].Mean
	}
	return f, nil
}
