package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestJobsGoForward(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		job := must(s.CreateJob(ctx, "server", "train", []byte(`{"epochs": 3}`)))
		if got := must(s.GetJob(ctx, job.ID)); got.State != Queued || got.Progress != nil || !got.Started.IsZero() || string(got.Parameters) != `{"epochs": 3}` {
			t.Errorf("a new job: %+v", got)
		}
		// Of many who start it, one does.
		var group sync.WaitGroup
		results := make([]error, 4)
		for i := range results {
			group.Go(func() { _, results[i] = s.UpdateJob(ctx, job.ID, Queued, Running, nil, "") })
		}
		group.Wait()
		started := 0
		for _, err := range results {
			if err == nil {
				started++
			} else if !errors.Is(err, ErrConflict) {
				t.Error(err)
			}
		}
		if started != 1 {
			t.Errorf("%d started the same job", started)
		}
		reported := must(s.UpdateJob(ctx, job.ID, Running, Running, []byte(`{"epoch": 1}`), ""))
		failed := must(s.UpdateJob(ctx, job.ID, Running, Failed, nil, "ran out of lüste"))
		got := must(s.GetJob(ctx, job.ID))
		if got.State != Failed || string(got.Progress) != `{"epoch": 1}` || got.Failure != "ran out of lüste" ||
			!got.Started.Equal(reported.Started) || !got.Ended.Equal(failed.Ended) || got.Started.IsZero() || got.Ended.IsZero() {
			t.Errorf("a failed job: %+v", got)
		}
		for _, c := range []struct {
			id       string
			from, to State
			progress string
			want     error
		}{
			{job.ID, Running, Done, "1", ErrConflict},
			{job.ID, Failed, Running, "1", ErrInvalid},
			{job.ID, Queued, Done, "1", ErrInvalid},
			{job.ID, Running, "asleep", "1", ErrInvalid},
			{job.ID, Running, Running, "{", ErrInvalid},
			{"nobody", Queued, Running, "1", ErrNotFound},
		} {
			if _, err := s.UpdateJob(ctx, c.id, c.from, c.to, []byte(c.progress), ""); !errors.Is(err, c.want) {
				t.Errorf("%+v: %v", c, err)
			}
		}
		if _, err := s.GetJob(ctx, "nobody"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a job that is not there: %v", err)
		}
		if _, err := s.CreateJob(ctx, "server", "", []byte("{}")); !errors.Is(err, ErrInvalid) {
			t.Errorf("a job of no kind: %v", err)
		}
		if _, err := s.CreateJob(ctx, "", "train", []byte("{}")); !errors.Is(err, ErrInvalid) {
			t.Errorf("a job of nobody: %v", err)
		}
	})
}

// Jobs end with the silence of their owner, and of no other: those that ran are
// interrupted, those that waited are cancelled, those that ended stay as they are.
func TestJobsEndWithTheSilenceOfTheirOwner(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		states := []State{Queued, Running, Done, Cancelled, Running}
		ids := map[string][]string{}
		for _, owner := range []string{"silent", "there", "old"} {
			for _, state := range states {
				job := must(s.CreateJob(ctx, owner, "train", []byte("{}")))
				ids[owner] = append(ids[owner], job.ID)
				if state != Queued {
					must(s.UpdateJob(ctx, job.ID, Queued, Running, nil, ""))
				}
				if state.Ended() {
					must(s.UpdateJob(ctx, job.ID, Running, state, nil, ""))
				}
			}
		}
		must(s.write.Exec("UPDATE jobs SET beat = NULL WHERE owner = 'old'")) // of before there were beats
		must(s.write.Exec("UPDATE jobs SET beat = beat - 61000000"))          // a minute passes
		if got := must(s.BeatJobs(ctx, "there")); len(got) != 3 || !slices.Contains(got, ids["there"][0]) || slices.Contains(got, ids["there"][2]) {
			t.Errorf("%v have not ended, of %v", got, ids["there"])
		}
		if got := must(s.BeatJobs(ctx, "nobody")); len(got) != 0 {
			t.Errorf("nobody has %v", got)
		}
		if count := must(s.EndSilentJobs(ctx, time.Hour)); count != 3 {
			t.Errorf("%d ended for an hour's silence, want the 3 without a beat", count)
		}
		if count := must(s.EndSilentJobs(ctx, time.Minute)); count != 3 {
			t.Errorf("%d ended, want 3", count)
		}
		for owner, list := range ids {
			for i, state := range states {
				if owner != "there" {
					switch state {
					case Running:
						state = Interrupted
					case Queued:
						state = Cancelled
					}
				}
				if got := must(s.GetJob(ctx, list[i])); got.State != state || got.Owner != owner || got.Ended.IsZero() == state.Ended() {
					t.Errorf("job %d of %s: %+v, want %s", i, owner, got, state)
				}
			}
		}
		if _, err := s.BeatJobs(ctx, ""); !errors.Is(err, ErrInvalid) {
			t.Errorf("a beat of nobody: %v", err)
		}
	})
}

// Pages neither repeat nor skip what was there at the first page, whatever is
// added between them.
func TestPagesStayStable(t *testing.T) {
	skipIfShort(t)
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		var known struct{ jobs, audit []string } // the oldest first
		add := func() {
			known.jobs = append(known.jobs, must(s.CreateJob(ctx, "server", "train", []byte("{}"))).ID)
			known.audit = append(known.audit, fmt.Sprint(must(s.AppendAudit(ctx, Entry{Action: "a"})).ID))
			time.Sleep(2 * time.Microsecond) // the next job is a later one
		}
		for range 10 {
			add()
		}
		// Jobs of one moment are told apart by their ids.
		must(s.write.Exec("UPDATE jobs SET created = 1000"))
		slices.Sort(known.jobs)

		jobs := func(p Page) (ids []string, next string, err error) {
			list, next, err := s.ListJobs(ctx, p)
			for _, job := range list {
				ids = append(ids, job.ID)
			}
			return ids, next, err
		}
		audit := func(p Page) (ids []string, next string, err error) {
			list, next, err := s.ListAudit(ctx, p)
			for _, entry := range list {
				ids = append(ids, fmt.Sprint(entry.ID))
			}
			return ids, next, err
		}
		for _, limit := range []int{1, 3, 5, 10, 1000, 0} {
			for _, c := range []struct {
				name  string
				known *[]string
				list  func(Page) ([]string, string, error)
			}{{"jobs", &known.jobs, jobs}, {"audit", &known.audit, audit}} {
				want := slices.Clone(*c.known)
				slices.Reverse(want)
				var got []string
				for page := (Page{Limit: limit}); ; add() {
					ids, next, err := c.list(page)
					if err != nil {
						t.Fatal(err)
					}
					if got = append(got, ids...); next == "" {
						break
					}
					page.Cursor = next
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s in pages of %d: %v, want %v", c.name, limit, got, want)
				}
				for _, page := range []Page{{Limit: -1}, {Cursor: "x"}, {Cursor: "-1"}, {Cursor: "1.\x00"}, {Cursor: "99999999999999999999"}} {
					if _, _, err := c.list(page); !errors.Is(err, ErrInvalid) {
						t.Errorf("%s, %+v: %v", c.name, page, err)
					}
				}
			}
		}
	})
}

func TestAuditOnlyGrows(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		want := must(s.AppendAudit(ctx, Entry{KeyID: "k", Action: "model.reload", Detail: "größer", RequestID: "r1"}))
		statements := []string{"UPDATE audit SET action = 'nothing'", "DELETE FROM audit"}
		values := fmt.Sprintf("INTO audit (id, time, key_id, action, detail, request_id) VALUES (%d, 1, 'k', 'nothing', '', '')", want.ID)
		if strings.HasPrefix(address, "sqlite") { // REPLACE removes what is in its way without a word to the triggers
			statements = append(statements, "INSERT OR REPLACE "+values, "REPLACE "+values, "UPDATE OR REPLACE audit SET action = 'nothing'", "INSERT OR IGNORE "+values)
		}
		statements = append(statements, "INSERT "+values+" ON CONFLICT (id) DO UPDATE SET action = 'nothing'")
		for _, statement := range statements {
			if _, err := s.write.Exec(statement); err == nil {
				t.Errorf("%s was allowed", statement)
			}
		}
		got, next, err := s.ListAudit(ctx, Page{})
		if err != nil || next != "" || len(got) != 1 || got[0] != want {
			t.Errorf("%+v, %q, %v; want %+v", got, next, err, want)
		}
		if _, err := s.AppendAudit(ctx, Entry{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("an entry without action: %v", err)
		}
	})
}
