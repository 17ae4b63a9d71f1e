package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"fubini/app/etag"
	"fubini/app/gate"
	"fubini/use/board"
)

// Level is the level of intervals, ranks and tiers that a request asks for.
type Level struct {
	Level string `query:"level" maxLength:"20" pattern:"^0?\\.[0-9]+$" patternDescription:"a number between 0 and 1" doc:"Of intervals, ranks and tiers; that of the fit if it is not given"`
}

type boardInput struct {
	etag.Conditional
	Level
}

type pairInput struct {
	etag.Conditional
	Level
	A string `query:"a" required:"true" minLength:"1" maxLength:"200" doc:"Id of an item, or its title"`
	B string `query:"b" required:"true" minLength:"1" maxLength:"200" doc:"Id of another item, or its title"`
}

// fitted is the board that is served, or the answer that there is none.
func (m *served) fitted() (*board.Fitted, error) {
	if m.saved.Board == nil {
		return nil, gate.NewProblem(http.StatusNotFound, "the served model is no fitted board: fubini fit --save makes one, and GET /v1/model says which kind is served")
	}
	return m.saved.Board, nil
}

// at is the board at the level asked for.
func (l Level) at(f *board.Fitted) (*board.Board, error) {
	if l.Level == "" {
		return f.Board, nil
	}
	level, err := strconv.ParseFloat(l.Level, 64)
	if err != nil {
		return nil, err // the pattern has been checked
	}
	b, err := f.At(level)
	if err != nil {
		return nil, gate.Invalid(&gate.Fault{Message: "must be between 0 and 1", Location: "query.level", Value: l.Level})
	}
	return b, nil
}

// tagged is the entity tag of what depends on the model and the level.
func (m *served) tagged(l Level) string { return fmt.Sprintf("%s-%s\"", m.tag[:len(m.tag)-1], l.Level) }

func (s *Server) board(_ context.Context, in *boardInput) (*etag.Answer[board.Report], error) {
	m := s.model.Load()
	f, err := m.fitted()
	if err != nil {
		return nil, err
	}
	b, err := in.at(f)
	if err != nil {
		return nil, err
	}
	return etag.Unless(in.Conditional, m.tagged(in.Level), *f.ReportOf(b))
}

func (s *Server) boardPair(_ context.Context, in *pairInput) (*etag.Answer[board.PairReport], error) {
	m := s.model.Load()
	f, err := m.fitted()
	if err != nil {
		return nil, err
	}
	var items [2]int
	for k, id := range []string{in.A, in.B} {
		i, known := m.finder.Sure(id)
		if !known {
			return nil, gate.NewProblem(http.StatusNotFound, unknownItem, &gate.Fault{Message: "unknown item", Location: "query." + [2]string{"a", "b"}[k], Value: id})
		}
		items[k] = i
	}
	if items[0] == items[1] {
		return nil, gate.Invalid(&gate.Fault{Message: "is the same item as a; a pair is two items", Location: "query.b", Value: in.B})
	}
	b, err := in.at(f)
	if err != nil {
		return nil, err
	}
	return etag.Unless(in.Conditional, m.tagged(in.Level), *f.Pair(b, items[0], items[1]))
}

func (s *Server) boardPairs(_ context.Context, in *etag.Conditional) (*etag.Answer[board.Pairs], error) {
	m := s.model.Load()
	f, err := m.fitted()
	if err != nil {
		return nil, err
	}
	if err := in.Fresh(m.tag); err != nil {
		return nil, err
	}
	pairs, err := f.Pairs()
	if err != nil {
		return nil, gate.NewProblem(http.StatusUnprocessableEntity, fmt.Sprintf("%v; ask for the pairs you need by GET /v1/board/pair", err))
	}
	return etag.Unless(*in, m.tag, *pairs)
}
