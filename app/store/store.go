package store

import (
	"context"
	"errors"
	"io"
	"time"
)

// The kinds of errors. Each comes wrapped in a text that says which operation
// failed and what to do about it; [errors.Is] tells the kind.
var (
	// ErrNotFound means that there is nothing under this id.
	ErrNotFound = errors.New("not found")
	// ErrConflict means that someone else was first: the version is not the
	// current one, the id is taken, or the job is in another state.
	ErrConflict = errors.New("conflict")
	// ErrForbidden means that the secret is not the owner's, or that the API key is unknown, revoked or expired.
	ErrForbidden = errors.New("forbidden")
	// ErrInvalid means that an argument cannot be stored; it is the caller's mistake.
	ErrInvalid = errors.New("invalid")
	// ErrFull means that a list would take more than its maker may use; it comes as a [FullError].
	ErrFull = errors.New("no room")
	// ErrUnavailable means that the database cannot be reached, read or written just now. Nothing was half done; the
	// same call may succeed later. The one doubt is a write whose answer was lost on the way: it may have happened.
	ErrUnavailable = errors.New("storage is unavailable")
	// ErrReadOnly means that the database can be read and not written: its disk is full,
	// its file or its server takes no writes. It is a kind of ErrUnavailable.
	ErrReadOnly = errors.New("storage cannot be written")
	// ErrDamaged means that the database's file is not what was written. It is a kind
	// of ErrUnavailable, and no later call will do better.
	ErrDamaged = errors.New("the database is damaged")
)

// Store is everything the server keeps. All methods may be called from many goroutines at once. A method ends with
// the context's error when its context does, and with [ErrUnavailable] when the database does not answer in time.
type Store interface {
	Jobs

	// PutList writes a list under an id that the caller made ([NewID]). The match says what must be there already:
	// [Absent] creates and nothing else, a version replaces that version only, [Present] any version, [Any] does
	// either. An existing list is replaced only with the secret it was created with. Errors: [ErrConflict] where the
	// match fails, [ErrForbidden] for a wrong secret, [ErrNotFound] where a version or [Present] is asked of a list
	// that is not there, [ErrFull] where the maker has no room. A list stays with whoever made it.
	PutList(ctx context.Context, id, secret string, body []byte, match Match, by Maker) (List, error)
	// GetList reads a list.
	GetList(ctx context.Context, id string) (List, error)
	// DeleteList removes a list, given its secret; errors are those of PutList.
	DeleteList(ctx context.Context, id, secret string, match Match) error
	// RemoveList removes a list without its secret: for admins.
	RemoveList(ctx context.Context, id string, match Match) error
	// ListLists returns lists without their bodies, the newest first, and the cursor of
	// the next page, empty on the last one.
	ListLists(ctx context.Context, page Page) (lists []List, next string, err error)

	// AddKey makes a key that is good until it expires, or for ever if that is the zero
	// time. Its token is returned this once and kept nowhere.
	AddKey(ctx context.Context, name string, scopes []Scope, expires time.Time) (key Key, token string, err error)
	// Authenticate finds the key of a token, and notes now and then that it was used. It answers [ErrForbidden] for a
	// token that is malformed, unknown, revoked or expired, without saying which.
	Authenticate(ctx context.Context, token string) (Key, error)
	// ListKeys returns all keys, the oldest first, revoked and expired ones included.
	ListKeys(ctx context.Context) ([]Key, error)
	// RevokeKey ends a key for good. A key revoked before stays as it is.
	RevokeKey(ctx context.Context, id string) (Key, error)

	// AppendAudit writes an entry of the log of what admins did; its id and time are given by the store. The log only
	// grows: the database itself refuses to change or remove an entry.
	AppendAudit(ctx context.Context, entry Entry) (Entry, error)
	// ListAudit returns entries, the newest first, and the cursor of the next page, empty on the last one.
	ListAudit(ctx context.Context, page Page) (entries []Entry, next string, err error)

	// Ping reports whether the database answers and has the tables this program expects.
	Ping(ctx context.Context) error
	// Probe reports whether the database can be written, by writing what is there
	// already: a disk that is full answers a Ping.
	Probe(ctx context.Context) error
	// Backup writes all that is stored at one moment, while others go on
	// writing, and returns how many rows that was. The writer is not closed.
	Backup(ctx context.Context, w io.Writer) (rows int64, err error)
	// Restore reads a backup into this store, all of it or nothing. It refuses a
	// store that holds anything, and a file that is cut short or altered.
	Restore(ctx context.Context, r io.Reader) (rows int64, err error)
	// Close ends all connections; the store is of no use afterwards.
	Close() error
}

// Jobs keeps training jobs.
type Jobs interface {
	// CreateJob puts a job into the queue of its owner, a server; parameters are JSON.
	CreateJob(ctx context.Context, owner, kind string, parameters []byte) (Job, error)
	// GetJob reads a job.
	GetJob(ctx context.Context, id string) (Job, error)
	// ListJobs returns jobs, the newest first, and the cursor of the next page, empty on the last one.
	ListJobs(ctx context.Context, page Page) (jobs []Job, next string, err error)
	// UpdateJob takes a job from one state to another (or the same one, to report progress). It answers [ErrConflict]
	// when the job is not in the first state, so that of two who want to start or end it one wins; [ErrInvalid] when
	// no job may take that step. Progress is JSON, nil to leave it; failure is a sentence for a person, kept with
	// failed jobs.
	UpdateJob(ctx context.Context, id string, from, to State, progress []byte, failure string) (Job, error)
	// BeatJobs records that an owner is alive, and returns the ids of its jobs that have not ended. A job that is not
	// among them was ended by somebody else.
	BeatJobs(ctx context.Context, owner string) (ids []string, err error)
	// EndSilentJobs ends the jobs of owners whose last BeatJobs is longer ago than silence, by the clock of the
	// database, and returns their number. Running jobs become [Interrupted], queued jobs [Cancelled].
	EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error)
}
