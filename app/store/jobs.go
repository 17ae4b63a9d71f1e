package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// CreateJob implements [Jobs].
func (s *database) CreateJob(ctx context.Context, owner, kind string, parameters []byte) (Job, error) {
	job := Job{ID: NewID(), Owner: owner, Kind: kind, State: Queued, Parameters: parameters, Created: now()}
	err := s.change(ctx, "create job", func(ctx context.Context, db session) error {
		if err := errors.Join(checkName("the owner of the job", owner), checkName("the kind of job", kind), checkJSON("the parameters", parameters)); err != nil {
			return err
		}
		_, err := db.exec(ctx, "INSERT INTO jobs (id, kind, state, parameters, failure, created, owner, beat) VALUES (?1, ?2, ?3, ?4, '', ?5, ?6, "+s.dialect.clock+")",
			job.ID, kind, string(Queued), parameters, stamp(job.Created), owner)
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return job, nil
}

const jobColumns = "id, kind, state, parameters, progress, failure, created, started, ended, owner"

// scanJob reads a row of jobColumns.
func scanJob(scan func(...any) error) (job Job, err error) {
	var created, started, ended sql.NullInt64
	err = scan(&job.ID, &job.Kind, &job.State, &job.Parameters, &job.Progress, &job.Failure, &created, &started, &ended, &job.Owner)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	job.Created, job.Started, job.Ended = instant(created), instant(started), instant(ended)
	return job, err
}

// GetJob implements [Jobs].
func (s *database) GetJob(ctx context.Context, id string) (job Job, err error) {
	err = s.look(ctx, "get job", func(ctx context.Context, db session) error {
		if err := checkName("the id", id); err != nil {
			return err
		}
		job, err = scanJob(db.row(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = ?1", id).Scan)
		return err
	})
	return job, err
}

// ListJobs implements [Jobs].
func (s *database) ListJobs(ctx context.Context, page Page) (jobs []Job, next string, err error) {
	return listing[Job]{"jobs", jobColumns, "created", "id", scanJob, func(j Job) string { return cursorOf(j.Created.UnixMicro(), j.ID) }}.page(ctx, s, "list jobs", page)
}

// UpdateJob implements [Jobs].
func (s *database) UpdateJob(ctx context.Context, id string, from, to State, progress []byte, failure string) (job Job, err error) {
	err = s.change(ctx, "update job", func(ctx context.Context, db session) error {
		if !slices.Contains(steps[from], to) {
			return fmt.Errorf("no job goes from %q to %q: %w", from, to, ErrInvalid)
		}
		if err := errors.Join(checkName("the id", id), checkText("the failure", failure)); err != nil {
			return err
		}
		if progress != nil {
			if err := checkJSON("the progress", progress); err != nil {
				return err
			}
		}
		job, err = scanJob(db.row(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = ?1"+s.dialect.forUpdate, id).Scan)
		if err != nil {
			return err
		}
		if job.State != from {
			return fmt.Errorf("job %q is %s, not %s: %w", id, job.State, from, ErrConflict)
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
		_, err = db.exec(ctx, "UPDATE jobs SET state = ?2, progress = ?3, failure = ?4, started = ?5, ended = ?6 WHERE id = ?1",
			id, string(to), job.Progress, job.Failure, stamp(job.Started), stamp(job.Ended))
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return job, nil
}

// BeatJobs implements [Jobs].
func (s *database) BeatJobs(ctx context.Context, owner string) (ids []string, err error) {
	err = s.change(ctx, "beat jobs", func(ctx context.Context, db session) error {
		if err := checkName("the owner of the jobs", owner); err != nil {
			return err
		}
		ids, err = collect(ctx, db, func(scan func(...any) error) (id string, err error) { err = scan(&id); return id, err },
			"UPDATE jobs SET beat = "+s.dialect.clock+" WHERE owner = ?1 AND state IN (?2, ?3) RETURNING id", owner, string(Queued), string(Running))
		return err
	})
	return ids, err
}

// EndSilentJobs implements [Jobs].
func (s *database) EndSilentJobs(ctx context.Context, silence time.Duration) (jobs int64, err error) {
	err = s.change(ctx, "end silent jobs", func(ctx context.Context, db session) error {
		jobs = 0
		for from, to := range map[State]State{Running: Interrupted, Queued: Cancelled} {
			// Jobs of before there were owners have no beat.
			ended, err := db.exec(ctx, "UPDATE jobs SET state = ?1, ended = ?2 WHERE state = ?3 AND (beat IS NULL OR beat < "+s.dialect.clock+" - ?4)",
				string(to), stamp(now()), string(from), silence.Microseconds())
			if err != nil {
				return err
			}
			jobs += ended
		}
		return nil
	})
	return jobs, err
}
