package store

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"time"
)

// List is a saved tier list. Times are in UTC, to the microsecond.
type List struct {
	ID     string
	Secret []byte // SHA-256 of the owner's secret
	Body   []byte // JSON, the same bytes that were put; none in [Store.ListLists]
	Size   int64  // bytes of the body
	Maker  string // id of the API key that it was made with; empty for none
	// Version changes with every write and only grows. It starts from the clock and
	// not from 1, so that a list deleted and made again under its old id does not
	// come back to a version that someone still holds. It fits 53 bits.
	Version          int64
	Created, Updated time.Time
}

// ownedBy reports whether a secret is the owner's, in a time that does not depend on how much of it is right.
func (l List) ownedBy(secret string) bool {
	return subtle.ConstantTimeCompare(l.Secret, hashSecret(secret)) == 1
}

// Maker is who saves a list: an API key, or nobody in particular. Each is the quota for the lists of that key, All the
// quota for all lists together.
type Maker struct {
	Key       string // id of the API key; empty for none, to which Each does not apply
	Each, All Quota
}

// Quota is how much may be stored. A change that makes a list smaller is never refused.
type Quota struct {
	Lists int64 // 0 means any number
	Bytes int64 // of their bodies; 0 means any number
}

// Match is the version that a write expects: a positive number, [Absent], [Any] or [Present].
type Match int64

// What a write may expect other than a version.
const (
	Absent  Match = 0  // no list there
	Any     Match = -1 // a list or none
	Present Match = -2 // a list, of whatever version
)

// Scope is what an API key may do.
type Scope string

// The scopes. Admin includes the other two; write does not include read.
const (
	Read  Scope = "read"
	Write Scope = "write"
	Admin Scope = "admin"
)

// Scopes lists all scopes.
func Scopes() []Scope { return []Scope{Read, Write, Admin} }

// Key is an API key without its secret, which is kept only as a hash.
type Key struct {
	ID       string // public; stands in the token too, between its underscores
	Name     string
	Scopes   []Scope // in the order of [Scopes], each once
	Created  time.Time
	Revoked  time.Time // zero while the key is good
	Expires  time.Time // from when on it is not good any more; zero for never
	LastUsed time.Time // zero before the first use; at most an hour behind

	hash []byte // SHA-256 of the secret
}

// Good reports whether the key may be used at a time: it is neither revoked nor expired.
func (k Key) Good(at time.Time) bool {
	return k.Revoked.IsZero() && (k.Expires.IsZero() || at.Before(k.Expires))
}

// Allows reports whether the key is good now and has a scope; [Admin] includes all.
func (k Key) Allows(scope Scope) bool {
	return k.Good(time.Now()) && (slices.Contains(k.Scopes, scope) || slices.Contains(k.Scopes, Admin))
}

// State is the stage that a job has reached.
type State string

// The states of a job. The last four are ends.
const (
	Queued      State = "queued"
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Cancelled   State = "cancelled"
	Interrupted State = "interrupted" // the server ended before the job did
)

// steps are the states that follow each state; an end has none.
var steps = map[State][]State{
	Queued:  {Running, Failed, Cancelled},
	Running: {Running, Done, Failed, Cancelled, Interrupted},
}

// Ended reports whether a job in this state is over.
func (s State) Ended() bool { return len(steps[s]) == 0 }

// Job is a piece of work that outlasts its request.
type Job struct {
	ID         string
	Owner      string // the server that made it and runs it
	Kind       string
	State      State
	Parameters []byte // JSON
	Progress   []byte // JSON, nil before the first report
	Failure    string // why it failed, empty otherwise
	Created    time.Time
	Started    time.Time // zero before it runs
	Ended      time.Time // zero before it ends
}

// Entry is one line of the audit log.
type Entry struct {
	ID        int64
	Time      time.Time
	KeyID     string // of the key that was used; empty for the command line
	Action    string // such as "model.reload"
	Detail    string
	RequestID string
}

// Page selects a part of a long list.
type Page struct {
	Limit  int    // 0 means 50; at most 1000
	Cursor string // the next that came with the page before; empty for the first page
}

// NewID makes an id that cannot be guessed: 128 random bits in hex.
func NewID() string { return random(16) }

// random is n bytes from the system's source, which never fails, in hex. It is the one place where chance does not
// come from a named stream: a secret must not be repeatable.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // documented never to return an error
	return hex.EncodeToString(b)
}

// hashSecret is how secrets are kept. A plain SHA-256 will do, without salt and
// without a slow password hash: those are for secrets that people choose, while
// ours are 256 random bits, of which neither a table nor a search finds one.
func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
