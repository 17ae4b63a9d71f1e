package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"fubini/app/store"
)

// problemOf turns an error from below into an answer.
func problemOf(err error) *Problem {
	var p *Problem
	var full *store.FullError
	switch {
	case errors.As(err, &p):
	case errors.Is(err, store.ErrNotFound):
		p = problem(http.StatusNotFound, "there is nothing under this id")
	case errors.Is(err, store.ErrForbidden):
		p = problem(http.StatusForbidden, "the secret is not the owner's")
	case errors.Is(err, store.ErrConflict):
		p = problem(http.StatusPreconditionFailed, "somebody else was first: read the current version, and send its ETag in If-Match")
	case errors.Is(err, store.ErrInvalid):
		p = problem(http.StatusUnprocessableEntity, "this cannot be stored")
	case errors.As(err, &full) && full.Key != "":
		p = problem(http.StatusTooManyRequests, "the lists of this API key have reached their quota, "+quota(full)+": remove some, or ask whoever runs the server for more (a tenth of --lists)")
	case errors.As(err, &full):
		p = problem(http.StatusInsufficientStorage, "all lists together have reached their quota, "+quota(full)+": whoever runs the server can remove some, or allow more (--lists)")
	case errors.Is(err, store.ErrUnavailable):
		p = problem(http.StatusServiceUnavailable, "storage is unavailable; try again in a moment")
	case errors.Is(err, context.DeadlineExceeded):
		p = problem(http.StatusServiceUnavailable, "the answer took too long; ask for fewer items or try again")
	case errors.Is(err, context.Canceled):
		p = problem(statusClientGone, "the client went away")
	default:
		p = problem(http.StatusInternalServerError, "a mistake of the server; its log has more under the request id")
	}
	return p
}

// quota is how much of what may be stored.
func quota(full *store.FullError) string {
	if full.Bytes {
		return strconv.FormatInt(full.Most, 10) + " bytes"
	}
	return strconv.FormatInt(full.Most, 10) + " lists"
}

// statusClientGone is for the log: nobody reads the answer.
const statusClientGone = 499
