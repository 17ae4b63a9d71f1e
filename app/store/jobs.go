package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// CreateJob implements [Jobs].
func (s *database) CreateJob(ctx context.Context, owner, kind string, parameters []byte) (Job, error) {
	return change(ctx, s, "create job", func(ctx context.Context, db session) (Job, error) {
		job := Job{ID: NewID(), Owner: owner, Kind: kind, State: Queued, Parameters: parameters, Created: now()}
		if err := errors.Join(checkName("the owner of the job", owner), checkName("the kind of job", kind), checkJSON("the parameters", parameters)); err != nil {
			return Job{}, err
		}
		_, err := db.exec(ctx, "INSERT INTO jobs (id, kind, state, parameters, failure, created, owner, beat) VALUES ($1, $2, $3, $4, '', $5, $6, "+s.dialect.clock+")",
			job.ID, kind, string(Queued), parameters, stamp(job.Created), owner)
		return job, err
	})
}

const jobColumns = "id, kind, state, parameters, progress, failure, created, started, ended, owner"

func jobFields(j *Job) []any {
	return []any{&j.ID, &j.Kind, &j.State, &j.Parameters, &j.Progress, &j.Failure, (*stamp)(&j.Created), (*stamp)(&j.Started), (*stamp)(&j.Ended), &j.Owner}
}

// job reads a job; the suffix ends the statement.
func (s session) job(ctx context.Context, id, suffix string) (Job, error) {
	if err := checkName("the id", id); err != nil {
		return Job{}, err
	}
	return one(ctx, s, jobFields, "SELECT "+jobColumns+" FROM jobs WHERE id = $1"+suffix, id)
}

// GetJob implements [Jobs].
func (s *database) GetJob(ctx context.Context, id string) (Job, error) {
	return look(ctx, s, "get job", func(ctx context.Context, db session) (Job, error) { return db.job(ctx, id, "") })
}

// ListJobs implements [Jobs].
func (s *database) ListJobs(ctx context.Context, page Page) (jobs []Job, next string, err error) {
	return listing[Job]{"jobs", jobColumns, "created", "id", jobFields, func(j Job) string { return cursorOf(j.Created.UnixMicro(), j.ID) }}.page(ctx, s, "list jobs", page)
}

// UpdateJob implements [Jobs].
func (s *database) UpdateJob(ctx context.Context, id string, from, to State, progress []byte, failure string) (Job, error) {
	return change(ctx, s, "update job", func(ctx context.Context, db session) (Job, error) {
		if !slices.Contains(steps[from], to) {
			return Job{}, fmt.Errorf("no job goes from %q to %q: %w", from, to, ErrInvalid)
		}
		err := errors.Join(checkName("the id", id), checkText("the failure", failure))
		if progress != nil {
			err = errors.Join(err, checkJSON("the progress", progress))
		}
		if err != nil {
			return Job{}, err
		}
		job, err := db.job(ctx, id, s.dialect.forUpdate)
		if err != nil {
			return Job{}, err
		}
		if job.State != from {
			return Job{}, fmt.Errorf("job %q is %s, not %s: %w", id, job.State, from, ErrConflict)
		}
		job.State = to
		if progress != nil {
			job.Progress = progress
		}
		if to == Failed {
			job.Failure = failure
		}
		if to == Running && job.Started.IsZero() {
			job.Started = now()
		}
		if to.Ended() {
			job.Ended = now()
		}
		_, err = db.exec(ctx, "UPDATE jobs SET state = $2, progress = $3, failure = $4, started = $5, ended = $6 WHERE id = $1",
			id, string(to), job.Progress, job.Failure, stamp(job.Started), stamp(job.Ended))
		return job, err
	})
}

// BeatJobs implements [Jobs].
func (s *database) BeatJobs(ctx context.Context, owner string) ([]string, error) {
	return change(ctx, s, "beat jobs", func(ctx context.Context, db session) ([]string, error) {
		if err := checkName("the owner of the jobs", owner); err != nil {
			return nil, err
		}
		return collect(ctx, db, func(id *string) []any { return []any{id} },
			"UPDATE jobs SET beat = "+s.dialect.clock+" WHERE owner = $1 AND state IN ($2, $3) RETURNING id", owner, string(Queued), string(Running))
	})
}

// EndSilentJobs implements [Jobs].
func (s *database) EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error) {
	return change(ctx, s, "end silent jobs", func(ctx context.Context, db session) (int64, error) {
		// Jobs of before there were owners have no beat.
		return db.exec(ctx, "UPDATE jobs SET state = CASE state WHEN $1 THEN $2 ELSE $3 END, ended = $4 WHERE state IN ($1, $5) AND (beat IS NULL OR beat < "+s.dialect.clock+" - $6)",
			string(Running), string(Interrupted), string(Cancelled), stamp(now()), string(Queued), silence.Microseconds())
	})
}
