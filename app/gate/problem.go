package gate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/store"
)

// Problem is a problem document (RFC 9457), the answer to a request that fails.
type Problem struct {
	Type      string   `json:"type" doc:"Kind of the problem: about:blank, the status says it all" example:"about:blank"`
	Title     string   `json:"title" doc:"The status in words" example:"Unprocessable Entity"`
	Status    int      `json:"status" doc:"HTTP status" example:"422"`
	Detail    string   `json:"detail" doc:"What is wrong, and what would be right" example:"validation failed"`
	Errors    []*Fault `json:"errors,omitempty" doc:"Each fault with its place"`
	RequestID string   `json:"request_id,omitempty" doc:"Finds the request in the server's log"`
}

// Fault is one fault of a request, with its place in it.
type Fault struct {
	Message  string `json:"message" doc:"What is wrong, and what would be right" example:"expected length <= 200"`
	Location string `json:"location,omitempty" doc:"Where it stands in the request" example:"body.tiers[0][1]"`
	Value    any    `json:"value,omitempty" doc:"What stands there, if it is short and no secret"`
}

// Error returns what is wrong, in a sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus implements [huma.StatusError].
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements [huma.ContentTypeFilter].
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Error returns the place of the fault in the request, and what is wrong there.
func (f *Fault) Error() string { return f.Location + ": " + f.Message }

// An answer lists at most mostFaults faults, and repeats at most mostEchoed bytes of a value.
const (
	mostFaults = 20
	mostEchoed = 80
)

// NewProblem returns a problem document. It repeats values of the request only if they are short, and never those of
// headers, which may be secrets.
func NewProblem(status int, detail string, errs ...error) *Problem {
	p := &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
	for _, err := range errs {
		if len(p.Errors) == mostFaults {
			p.Errors = append(p.Errors, &Fault{Message: "and " + strconv.Itoa(len(errs)-mostFaults) + " more"})
			break
		}
		switch each := err.(type) {
		case nil:
		case *Fault:
			p.Errors = append(p.Errors, each)
		case huma.ErrorDetailer:
			detail := each.ErrorDetail()
			p.Errors = append(p.Errors, &Fault{Message: Short(detail.Message, 200), Location: Short(detail.Location, 200), Value: detail.Value})
		default:
			if status < http.StatusInternalServerError { // what went wrong inside is for the log
				p.Errors = append(p.Errors, &Fault{Message: Short(err.Error(), 200)})
			}
		}
	}
	for _, f := range p.Errors {
		f.Value = echoed(f)
	}
	return p
}

// echoed is what of a faulty value may be repeated.
func echoed(f *Fault) any {
	if strings.HasPrefix(f.Location, "header.") || strings.HasPrefix(f.Location, "cookie.") {
		return nil
	}
	switch v := f.Value.(type) {
	case bool, int, int64, float64:
		return v
	case json.Number:
		return Short(v.String(), mostEchoed)
	case string:
		if v != "" {
			return Short(v, mostEchoed)
		}
	}
	return nil
}

// Short cuts a text to a number of bytes, at the boundary of a character.
func Short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := []rune(text[:most])
	return string(cut[:len(cut)-1]) + "…"
}

// Invalid returns a problem document with status 422 and these faults; nil without any.
func Invalid(faults ...error) error {
	if len(faults) == 0 {
		return nil
	}
	return NewProblem(http.StatusUnprocessableEntity, "validation failed", faults...)
}

// writeProblem answers with an error outside of huma's handlers.
func writeProblem(w http.ResponseWriter, r *http.Request, failure error) {
	p := Failure(r.Context(), failure)
	p.RequestID = CallOf(r.Context()).ID
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	header.Del("Etag")
	text, err := json.Marshal(p)
	if err != nil { // a value that JSON does not have; huma's come from JSON, ours are texts
		panic(err)
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(text, '\n')) // the client may have gone
}

// statusClientGone is for the log: nobody reads the answer.
const statusClientGone = 499

// kinds are the answers to errors of a kind; the first that fits counts.
var kinds = []struct {
	kind   error
	status int
	detail string
}{
	{store.ErrNotFound, http.StatusNotFound, "there is nothing under this id"},
	{store.ErrForbidden, http.StatusForbidden, "the secret is not the owner's"},
	{store.ErrConflict, http.StatusPreconditionFailed, "somebody else was first: read the current version, and send its ETag in If-Match"},
	{store.ErrInvalid, http.StatusUnprocessableEntity, "this cannot be stored"},
	{store.ErrUnavailable, http.StatusServiceUnavailable, "storage is unavailable; try again in a moment"},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "the answer took too long; ask for fewer items or try again"},
	{context.Canceled, statusClientGone, "the client went away"},
}

// problemOf is the problem document of an error from below; 500 for an error of unknown kind.
func problemOf(err error) *Problem {
	var full *store.FullError
	switch {
	case errors.As(err, &full) && full.Key != "":
		return NewProblem(http.StatusTooManyRequests, "the lists of this API key have reached their quota, "+quota(full)+": remove some, or ask whoever runs the server for more (a tenth of --lists)")
	case errors.As(err, &full):
		return NewProblem(http.StatusInsufficientStorage, "all lists together have reached their quota, "+quota(full)+": whoever runs the server can remove some, or allow more (--lists)")
	}
	for _, each := range kinds {
		if errors.Is(err, each.kind) {
			return NewProblem(each.status, each.detail)
		}
	}
	return NewProblem(http.StatusInternalServerError, "a mistake of the server; its log has more under the request id")
}

func quota(full *store.FullError) string {
	unit := " lists"
	if full.Bytes {
		unit = " bytes"
	}
	return strconv.FormatInt(full.Most, 10) + unit
}

// Failure returns the problem document of an error. An error of the server that is none yet is kept for the log.
func Failure(ctx context.Context, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if p = problemOf(err); p.Status >= http.StatusInternalServerError && p.Status != http.StatusInsufficientStorage {
		CallOf(ctx).Failed = err
	}
	return p
}

func tooBusy() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "the server is busy; try again in a moment")
}
