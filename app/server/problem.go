package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Problem is the answer to a request that cannot be served, as RFC 9457 has it.
type Problem struct {
	Type      string   `json:"type" doc:"Kind of the problem: about:blank, the status says it all" example:"about:blank"`
	Title     string   `json:"title" doc:"The status in words" example:"Unprocessable Entity"`
	Status    int      `json:"status" doc:"HTTP status" example:"422"`
	Detail    string   `json:"detail" doc:"What is wrong, and what would be right" example:"validation failed"`
	Errors    []*Fault `json:"errors,omitempty" doc:"Each fault with its place"`
	RequestID string   `json:"request_id,omitempty" doc:"Finds the request in the server's log"`
}

// Fault is one thing wrong with a request.
type Fault struct {
	Message  string `json:"message" doc:"What is wrong, and what would be right" example:"expected length <= 200"`
	Location string `json:"location,omitempty" doc:"Where it stands in the request" example:"body.tiers[0][1]"`
	Value    any    `json:"value,omitempty" doc:"What stands there, if it is short and no secret"`
}

func (p *Problem) Error() string  { return p.Detail }
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements [huma.ContentTypeFilter].
func (p *Problem) ContentType(string) string { return "application/problem+json" }

func (f *Fault) Error() string { return f.Location + ": " + f.Message }

// Huma takes its errors from package variables: there is one program, and one form
// of problems in it.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return problem(status, message, errs...)
	}
	huma.DefaultArrayNullable = false // we send [] and expect it
	huma.ValidateStrictCasing = true  // "N" is not "n"; bound sees to it that "n" comes once
}

// signed puts the id of the request into a problem on its way out.
func signed(ctx huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*Problem); ok {
		p.RequestID = requestID(ctx.Context())
	}
	return v, nil
}

// Most faults that one answer lists, and the longest value it repeats.
const (
	mostFaults = 20
	mostEchoed = 80
)

// problem makes an answer. Values that were sent come back only if they are short,
// and never those of headers, which may be secrets.
func problem(status int, detail string, errs ...error) *Problem {
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
			p.Errors = append(p.Errors, &Fault{Message: shortText(detail.Message, 200), Location: shortText(detail.Location, 200), Value: detail.Value})
		default:
			if status >= http.StatusInternalServerError {
				continue // what went wrong inside is for the log
			}
			p.Errors = append(p.Errors, &Fault{Message: shortText(err.Error(), 200)})
		}
	}
	for _, f := range p.Errors {
		f.Value = echoed(f)
	}
	return p
}

// echoed is what of a faulty value may be repeated.
func echoed(f *Fault) any {
	if slices.ContainsFunc([]string{"header.", "cookie."}, func(prefix string) bool { return strings.HasPrefix(f.Location, prefix) }) {
		return nil
	}
	switch v := f.Value.(type) {
	case bool, int, int64, float64:
		return v
	case json.Number:
		return shortText(v.String(), mostEchoed)
	case string:
		if v == "" {
			return nil
		}
		return shortText(v, mostEchoed)
	}
	return nil
}

// shortText cuts a text to a length, between two letters.
func shortText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := []rune(text[:most])
	return string(cut[:len(cut)-1]) + "…"
}

// invalid is a 422 with its faults.
func invalid(faults ...*Fault) *Problem {
	errs := make([]error, len(faults))
	for k, f := range faults {
		errs[k] = f
	}
	return problem(http.StatusUnprocessableEntity, "validation failed", errs...)
}

// writeProblem answers outside of huma's handlers.
func writeProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	p.RequestID = requestID(r.Context())
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	header.Del("Etag")
	text, err := json.Marshal(p)
	if err != nil { // a value that JSON does not have; huma's come from JSON, ours are texts
		text = []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"the problem cannot be written"}`)
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(text, '\n')) // the client may have gone
}
