package server

import (
	"context"
	"errors"
	"net/http"

	"fubini/app/store"
)

// problemOf turns an error from below into an answer.
func problemOf(err error) *Problem {
	var p *Problem
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

// statusClientGone is for the log: nobody reads the answer.
const statusClientGone = 499
