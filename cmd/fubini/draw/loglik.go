package draw

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/data/text"
	"fubini/infer/ais"
	"fubini/learn/modelstore"
	"fubini/learn/saturated"
	"fubini/model/osm"
)

// LogLik is the command fubini loglik, which computes the log likelihood of tier lists under a model.
func LogLik(p *cli.Program) *cobra.Command {
	var annealing annealFlags
	method := "auto"
	cmd := cli.Page(pages, "loglik")
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "method", &method, []string{"auto", "exact", "ais"}, "auto, exact for short lists; exact; ais, annealed importance sampling")
	annealing.add(cmd, flags)
	counts := ""
	cli.AddInput(flags, "counts", &counts, "FILE", "votes that MODEL was fitted to: the shares of whole lists among them are mixed in")
	answers, named := input.AddMatch(p, cmd), input.AddVoteColumns(p, cmd)
	annealing.Runs = 10
	flags.Lookup("runs").DefValue = "10"
	flags.Lookup("steps").DefValue = "for about a minute, 1000 at most"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		saved, _, err := input.ReadWith(args[0], (*modelstore.Saved).Catalogue)
		if err != nil {
			return err
		}
		items, err := input.NewItems(cmd.Context(), p, saved, answers.Match, args[1])
		if err != nil {
			return err
		}
		lists, err := readLists(cmd.Context(), p, saved, items, args[1], named.Columns)
		if err != nil {
			return err
		}
		annealing.Jobs = p.Jobs
		r := likelihoods{p: p, saved: saved, components: componentsOf(saved), method: method, annealing: &annealing, known: map[string]*logZ{}}
		var fitted []cast
		if counts != "" {
			if fitted, err = readLists(cmd.Context(), p, saved, items, counts, named.Columns); err != nil {
				return fmt.Errorf("--counts: %w", err)
			}
		}
		if err := r.plan(slices.Concat(lists, fitted), flags.Changed("steps")); err != nil {
			return err
		}
		r.view = terminal.NewLine(p.ProgressTo(), r.items)
		defer r.view.Clear()
		mixed, err := r.mix(cmd.Context(), fitted, counts)
		if err != nil {
			return err
		}
		records := make([]cli.Record, 0, len(lists))
		var total, weight, noise float64
		for l := range lists {
			list := &lists[l]
			n := len(list.Items)
			if n == 0 {
				continue
			}
			r.next(n, fmt.Sprintf("%d of %d lists", l, len(lists)))
			logLik, noise, err := r.of(cmd.Context(), list, uint64(l))
			if err != nil {
				return fmt.Errorf("%s: %w", list.where(args[1]), err)
			}
			logLik = mixed(list, logLik)
			total += list.weight * logLik
			weight += list.weight
			strict, _ := math.Lgamma(float64(n) + 1)
			records = append(records, cli.Record{
				{"user", cli.OrNil(list.user)}, {"items", n}, {"unknown", list.unknown},
				{"log_lik", logLik}, {"std_err", noise}, {"uniform", -partition.LogFubini(n)}, {"uniform_strict", -strict},
				{"line", cli.OrNil(list.line)}, {"weight", list.weight},
			})
		}
		r.view.Clear()
		if len(records) == 0 {
			return fmt.Errorf("%s: none of its lists has an item that the model has; it must have been trained on other data", args[1])
		}
		if skipped := len(lists) - len(records); skipped > 0 {
			p.Tell("%s no item that the model has", text.Count(skipped, "list has", "lists have"))
		}
		for _, z := range r.known { // lists of the same items have the same error
			noise += z.weight * z.weight * z.StdErr * z.StdErr
		}
		if weight > 0 {
			p.Tell("mean log likelihood of %g lists: %.4f, standard error of annealing %.4f", weight, total/weight, math.Sqrt(noise)/weight)
		}
		return p.Fitted(records, "line", "weight", "uniform strict", "unknown")
	}
	return cmd
}

// likelihoods computes the normalisers of lists, each set of items once.
type likelihoods struct {
	p          *cli.Program
	saved      *modelstore.Saved
	components []component
	method     string
	annealing  *annealFlags
	items      int // of all lists
	placed     int // of those before the one in hand
	view       *terminal.Line
	known      map[string]*logZ
}

// logZ is the log normaliser of a set of items, and the weight of its lists.
type logZ struct {
	ais.Estimate
	weight float64
}

// next shows the progress of annealing for a list of n items.
func (r *likelihoods) next(n int, says string) {
	before := r.placed
	r.annealing.Observe = func(runs int) {
		r.view.At(float64(before)+float64(n)*float64(runs)/float64(r.annealing.Runs), says)
	}
	r.placed += n
}

// of is the log likelihood of a list, the sets of hidden units of a fit to votes summed out, and its standard error.
func (r *likelihoods) of(ctx context.Context, list *cast, seed uint64) (logLik, noise float64, err error) {
	logs, known := make([]float64, len(r.components)), make([]*logZ, len(r.components))
	for k, c := range r.components {
		m, err := c.of(r.p, r.saved, list.Items)
		if err != nil {
			return 0, 0, err
		}
		if err := m.outside(list.Order); err != nil {
			return 0, 0, err
		}
		if known[k], err = r.logZ(ctx, m, k, list.Items, seed); err != nil {
			return 0, 0, err
		}
		logs[k] = c.logShare + m.LogWeight(list.Order) - known[k].LogZ
	}
	logLik = logprob.SumExp(logs)
	for k, z := range known {
		share := math.Exp(logs[k] - logLik) // by how much the error of this normaliser is in that of the sum
		z.weight += list.weight * share
		noise += share * share * z.StdErr * z.StdErr
	}
	return logLik, math.Sqrt(noise), nil
}

// mix returns what makes of the log likelihood of a list under the model that between the model and the shares of whole lists among
// those that it was fitted to, whose file is path. Without any it leaves the likelihood as it is. See docs/maths.md#saturated.
func (r *likelihoods) mix(ctx context.Context, fitted []cast, path string) (func(*cast, float64) float64, error) {
	var lists []osm.List
	var weights, logs []float64
	for l := range fitted {
		list := fitted[l]
		if list.unknown > 0 {
			return nil, fmt.Errorf("--counts: %s: MODEL does not have all of its items, so it is none of the votes that MODEL was fitted to", list.where(path))
		}
		r.next(len(list.Items), fmt.Sprintf("--counts: %d of %d lists", l, len(fitted)))
		if len(list.Items) < 2 {
			continue
		}
		lists, weights = append(lists, list.List), append(weights, list.weight)
		list.weight = 0 // no part of the mean, nor of its error
		log, _, err := r.of(ctx, &list, uint64(l))
		if err != nil {
			return nil, fmt.Errorf("--counts: %s: %w", list.where(path), err)
		}
		logs = append(logs, log)
	}
	if lists == nil {
		return func(_ *cast, log float64) float64 { return log }, nil
	}
	counts := saturated.Learn(saturated.Of(lists, weights), logs)
	r.view.Clear()
	if math.IsInf(counts.Alpha, 1) {
		r.p.Tell("the shares of whole lists predict nothing that the model does not; half a vote for everything stands beside it")
	} else {
		r.p.Tell("the model counts as much as %.3g votes on the same items", counts.Alpha)
	}
	return func(list *cast, log float64) float64 {
		if len(list.Items) < 2 {
			return log
		}
		one := saturated.Of([]osm.List{list.List}, []float64{1})
		return counts.Spread(one, counts.Predict(one, []float64{log}))[0]
	}, nil
}

// exact is whether the normaliser of a list is summed.
func (r *likelihoods) exact(m *listed) bool {
	return r.method == "exact" || r.method == "auto" && m.steps <= fewExactSteps
}

// fewExactSteps is the number of steps of an exact sum that takes some milliseconds.
const fewExactSteps = 1e6

// plan chooses the number of temperatures, and says how long annealing will take where there is any.
func (r *likelihoods) plan(lists []cast, given bool) error {
	annealed, sets := 0, map[string]bool{}
	for l := range lists {
		items := lists[l].Items
		r.items += len(items)
		if key := keyOf(items); len(items) > 0 && !sets[key] {
			sets[key] = true
			m, err := r.components[0].of(r.p, r.saved, items)
			if err != nil {
				return err
			}
			if r.exact(m) {
				delete(sets, key)
				continue
			}
			annealed += len(items) * len(r.components)
		}
	}
	a := r.annealing
	if !given {
		a.Steps = minuteOfSteps(annealed, a.Runs)
	}
	if len(sets) == 0 {
		return nil
	}
	r.p.Tell("%s of %s for each of %s of items, about %s on two cores (--runs, --steps)",
		text.Count(a.Runs, "run", "runs"), text.Count(a.Steps, "temperature", "temperatures"), text.Count(len(sets), "set", "sets"), annealTime(annealed, a.Runs*a.Steps))
	if a.Steps < fewSteps {
		r.p.Tell("%s few: log likelihoods of long lists may be too high by much more than std_err; raise --steps until the mean no longer falls", text.Count(a.Steps, "temperature is", "temperatures are"))
	}
	return nil
}

// keyOf is the same for lists of the same items.
func keyOf(items []int) string {
	sorted := slices.Clone(items)
	slices.Sort(sorted)
	return fmt.Sprint(sorted)
}

// logZ is the log normaliser of a list in one of the components: summed, or by annealing with a seed of its own.
func (r *likelihoods) logZ(ctx context.Context, m *listed, component int, items []int, seed uint64) (*logZ, error) {
	key := fmt.Sprint(component, keyOf(items))
	if z := r.known[key]; z != nil {
		return z, nil
	}
	z := &logZ{}
	if r.exact(m) {
		log, err := m.logZ(ctx)
		if err != nil {
			return nil, err
		}
		z.LogZ = log
	} else {
		r.annealing.Observe(0)
		r.annealing.Seed = r.p.Seed + seed
		estimate, err := m.anneal(ctx, r.annealing)
		if err != nil {
			return nil, err
		}
		z.Estimate = *estimate
	}
	r.known[key] = z
	return z, nil
}

// fewSteps is the number of temperatures below which loglik warns of the bias of annealing, and
// the most that it takes without --steps. On four people of MovieLens 100K (263 items a list)
// 44 temperatures gave a mean of -1390.3, 400 gave -1400.0, with standard errors of 0.3.
const fewSteps = 1000

// sweepTime is about how long a sweep takes for one item of a list, on one core, with 20 hidden
// units: measured on MovieLens 100K (152 items a list).
const sweepTime = 2.7e-6 // seconds

// annealTime is about the time that a number of sweeps takes, of lists with a number of items in all.
func annealTime(items, sweeps int) time.Duration {
	seconds := sweepTime * float64(items) * float64(sweeps) / 2
	return max(time.Second, time.Duration(seconds*float64(time.Second)).Round(time.Second))
}

// minuteOfSteps is how many temperatures take about a minute, from 10 to 1000. It depends on
// the data alone: so does the result.
func minuteOfSteps(items, runs int) int {
	const minute = 60
	return min(fewSteps, max(10, int(2*minute/(sweepTime*float64(max(1, items))*float64(runs)))))
}
