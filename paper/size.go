package paper

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/paper/cells"
)

// Size has the numbers of splits, users, epochs and draws of a reproduction.
type Size struct {
	Name    string `json:"name"`
	Seeds   int    `json:"seeds"`   // splits that the tables average over
	Largest int    `json:"largest"` // largest number of given ratings; 0 for the paper's
	Epochs  int    `json:"epochs"`  // of latent-osm-paper; 0 for its own number

	Units       []int `json:"units"`        // hidden sizes of the curves
	Hidden      int   `json:"hidden"`       // of tables 2 and 3 and Figure 3b
	CurveEpochs int   `json:"curve_epochs"` // of Figure 3a

	// Of Table 1.
	Users     int      `json:"users"`      // users whose lists are weighed
	FewUsers  int      `json:"few_users"`  // the number of them with the longest annealing
	Annealing [][2]int `json:"annealing"`  // temperatures S and runs R of each annealing, the longest last
	Draws     int      `json:"draws"`      // draws of the hidden units in the predictive probability
	LongDraws int      `json:"long_draws"` // the same where the sum over orders given the units is not exact
	DrawSteps int      `json:"draw_steps"` // temperatures of the annealing for each of LongDraws
	DrawRuns  int      `json:"draw_runs"`  // runs of that annealing
	Lengths   []int    `json:"lengths"`    // lengths M of the lists
}

// Full has the paper's numbers.
func Full() Size {
	return Size{
		Name: "full", Seeds: 3, Units: []int{0, 1, 2, 5, 10, 20, 30, 50, 70, 100}, Hidden: 50, CurveEpochs: 100,
		Users: 100, FewUsers: 100, Annealing: [][2]int{{1000, 10}, {1000, 100}, {10000, 10}, {10000, 100}},
		Draws: 200, LongDraws: 50, DrawSteps: 200, DrawRuns: 2, Lengths: []int{10, 20, 30},
	}
}

// Quick has smaller numbers: every table and figure in minutes on a small data set, with larger errors.
func Quick() Size {
	s := Full()
	s.Name, s.Seeds, s.Units, s.Epochs = "quick", 1, []int{0, 1, 10, 50, 100}, 50
	s.CurveEpochs = 50
	s.Users, s.FewUsers = 10, 2
	return s
}

// differences lists where a size falls short of the paper's in a target, for people.
func (s Size) differences(target string) (list []string) {
	full := Full()
	add := func(differs bool, targets []string, format string, args ...any) {
		if differs && slices.Contains(targets, target) {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	tables, curves := []string{"table2", "table3"}, []string{"fig3c", "fig4a", "fig4b"}
	likelihood, chains := []string{"table1"}, []string{"fig3a"}
	add(s.Seeds != full.Seeds, tables, "means over %d split(s), not %d", s.Seeds, full.Seeds)
	add(s.Largest > 0, Targets(), "no more than %d ratings of a user are given", s.Largest)
	add(s.Epochs != full.Epochs, append([]string{"table1", "table2", "table3", "fig3b"}, curves...), "latent-osm-paper is trained for %d epochs, not 100", s.Epochs)
	add(!slices.Equal(s.Units, full.Units), curves, "%d points, not %d", len(s.Units), len(full.Units))
	add(s.Hidden != full.Hidden, append([]string{"fig3b"}, tables...), "K = %d, not %d", s.Hidden, full.Hidden)
	add(s.CurveEpochs != full.CurveEpochs, chains, "%d epochs, not %d", s.CurveEpochs, full.CurveEpochs)
	add(s.Users != full.Users, likelihood, "%d users, not %d", s.Users, full.Users)
	add(s.FewUsers < s.Users, likelihood, "%d users for the longest annealing", s.FewUsers)
	add(!slices.Equal(s.Annealing, full.Annealing), likelihood, "(S, R) = %v, not %v", s.Annealing, full.Annealing)
	return list
}

// given is a number of given ratings of the paper as far as the size allows it.
func (s Size) given(n int) int {
	if s.Largest > 0 {
		return min(n, s.Largest)
	}
	return n
}

// Givens are numbers of given ratings of the paper as far as the size allows them, each once.
func (s Size) Givens(list ...int) []int {
	for k, n := range list {
		list[k] = s.given(n)
	}
	return slices.Compact(list)
}

// leastUsers is how many users a table must have to mean anything.
const leastUsers = 20

// enough refuses data with too few users who have ratings to give and to test on; the error has the
// largest number that would work.
func (r *Reproduction) enough(d cells.Data, target string, given, test int) error {
	counts, have := r.perUser(d), r.having(d, given+test)
	if have >= leastUsers {
		return nil
	}
	remedy := "no N works: more ratings are needed"
	if len(counts) >= leastUsers && counts[leastUsers-1] > test {
		remedy = fmt.Sprintf("the largest N that works is %d (--largest)", counts[leastUsers-1]-test)
	}
	most := 0
	if len(counts) > 0 {
		most = counts[0]
	}
	filter := ""
	if d.Filter {
		filter = " once the half of the items that people agree on is dropped"
	}
	return fmt.Errorf("paper: %s needs %d users with %d + %d ratings; of the %d users of %s, who have up to %d ratings%s, %d do; %s",
		target, leastUsers, given, test, d.Set.Users().Len(), d.Name, most, filter, have, remedy)
}

// perUser counts the ratings that users are left with by the filter, most first.
func (r *Reproduction) perUser(d cells.Data) []int {
	if counts, there := r.counts[d.Set]; there {
		return counts
	}
	set := d.Set
	if d.Filter {
		set = set.DropAgreed()
	}
	counts := make([]int, set.Users().Len())
	for u := range counts {
		counts[u] = set.Row(u).Len()
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	r.counts[d.Set] = counts
	return counts
}

// having is the number of users with at least n ratings.
func (r *Reproduction) having(d cells.Data, least int) (users int) {
	for _, n := range r.perUser(d) {
		if n < least {
			break
		}
		users++
	}
	return users
}
