package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/etag"
	"fubini/app/gate"
	"fubini/app/picture"
	"fubini/app/preview"
	"fubini/app/store"
	"fubini/data/titles"
)

// ListBody is a saved tier list, as the page writes it. Its items need not be in the model, because lists outlive models.
type ListBody struct {
	Title    string     `json:"title" maxLength:"200"`
	Tiers    []listTier `json:"tiers" maxItems:"1000" doc:"Best first"`
	Unranked ids        `json:"unranked,omitempty" doc:"Items waiting to be placed"`
	Hidden   ids        `json:"hidden,omitempty" doc:"Items put away"`
	Guesses  bool       `json:"guesses,omitempty" doc:"Whether guesses are shown"`
}

type listTier struct {
	Name   string `json:"name" maxLength:"100"`
	Colour string `json:"colour,omitempty" maxLength:"20" pattern:"^(#[0-9A-Fa-f]{3,8}|[a-z0-9-]*)$" patternDescription:"#rrggbb or a plain word"`
	Items  tier   `json:"items"`
}

// ListID is the unguessable id of a saved list, in the path of a request.
type ListID struct {
	ID string `path:"id" minLength:"22" maxLength:"64" pattern:"^[A-Za-z0-9_-]+$" patternDescription:"url-safe random characters" doc:"Unguessable id, made by the client: 22 to 64 random characters of A-Z, a-z, 0-9, - and _"`
}

// Owner is the secret by which the owner of a list changes it.
type Owner struct {
	Secret string `header:"X-List-Secret" required:"true" minLength:"16" maxLength:"200" doc:"Secret of the owner, made by the client; kept as a hash"`
}

type putListInput struct {
	ListID
	Owner
	etag.Expected
	IfNoneMatch string `header:"If-None-Match" enum:"*" doc:"* to make a new list and nothing else"`
	Body        ListBody
}

type putListOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   struct {
		ID      string    `json:"id"`
		Updated time.Time `json:"updated"`
	}
}

type getListInput struct {
	etag.Conditional
	ListID
}

type getListOutputBody struct {
	ListBody
	Updated time.Time `json:"updated"`
}

type deleteListInput struct {
	ListID
	Secret string `header:"X-List-Secret" minLength:"16" maxLength:"200" doc:"Secret of the owner; an API key with the scope admin does without"`
	etag.Expected
}

func (s *Server) putList(ctx context.Context, in *putListInput) (*putListOutput, error) {
	if err := in.Body.check(); err != nil {
		return nil, err
	}
	match, err := in.match()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(in.Body)
	if err != nil {
		return nil, err
	}
	saved, err := s.store.PutList(ctx, in.ID, in.Secret, text, match, store.Maker{Key: gate.CallOf(ctx).Key.ID, Each: s.limits.KeyLists, All: s.limits.Lists})
	if errors.Is(err, store.ErrNotFound) && match == store.Present {
		return nil, gate.NewProblem(http.StatusPreconditionFailed, "there is no list under this id: make one with If-None-Match: *", &gate.Fault{Message: "nothing to be replaced", Location: "header.If-Match"})
	}
	if err != nil {
		return nil, s.listFailure(ctx, in.ID, err)
	}
	out := &putListOutput{Status: http.StatusOK, ETag: etag.Quoted(saved.Version)}
	if saved.Created.Equal(saved.Updated) {
		out.Status = http.StatusCreated
	}
	out.Body.ID, out.Body.Updated = saved.ID, saved.Updated
	return out, nil
}

// check refuses a list in which an item stands twice, or too many do.
func (b *ListBody) check() error {
	seen := map[string]bool{}
	var faults []error
	for t, each := range b.Tiers {
		for k, id := range each.Items {
			if seen[id] {
				faults = append(faults, &gate.Fault{Message: twoPlaces, Value: id, Location: fmt.Sprintf("body.tiers[%d].items[%d]", t, k)})
			}
			seen[id] = true
		}
	}
	if len(seen) > mostPlaced {
		faults = append(faults, &gate.Fault{Message: fmt.Sprintf("more than %d items are placed", mostPlaced), Location: "body.tiers"})
	}
	return gate.Invalid(faults...)
}

// match is the version that a write expects. One of the two headers is needed, so
// that nobody writes over what they have not seen by leaving both out.
func (in *putListInput) match() (store.Match, error) {
	switch {
	case in.IfMatch != "" && in.IfNoneMatch != "":
		return 0, gate.Invalid(&gate.Fault{Message: "goes without If-None-Match", Location: "header.If-Match"})
	case in.IfNoneMatch == "*":
		return store.Absent, nil
	case in.IfMatch == "":
		return 0, gate.NewProblem(http.StatusPreconditionRequired, "say what is to be replaced: If-None-Match: * for a new list, If-Match with its ETag for a change",
			&gate.Fault{Message: "missing", Location: "header.If-Match"})
	}
	return in.Version()
}

func (s *Server) getList(ctx context.Context, in *getListInput) (*etag.Answer[getListOutputBody], error) {
	saved, err := s.store.GetList(ctx, in.ID)
	if err != nil {
		return nil, s.listFailure(ctx, in.ID, err)
	}
	body := getListOutputBody{Updated: saved.Updated}
	if err := json.Unmarshal(saved.Body, &body.ListBody); err != nil {
		return nil, err
	}
	return etag.Unless(in.Conditional, etag.Quoted(saved.Version), body)
}

func (s *Server) deleteList(ctx context.Context, in *deleteListInput) (*struct{}, error) {
	match, err := store.Any, error(nil)
	if in.IfMatch != "" {
		if match, err = in.Version(); err != nil {
			return nil, err
		}
	}
	switch {
	case in.Secret != "":
		err = s.store.DeleteList(ctx, in.ID, in.Secret, match)
	case !gate.CallOf(ctx).Key.Allows(store.Admin):
		return nil, gate.Invalid(&gate.Fault{Message: "required header parameter is missing", Location: "header.X-List-Secret"})
	default:
		// The audit log is for more eyes than the list: a part of its id is enough to tell it by, and too little to read
		// it by.
		if err := s.audit(ctx, "list.delete", in.ID[:8]+"…"); err != nil {
			return nil, err
		}
		err = s.store.RemoveList(ctx, in.ID, match)
	}
	if err != nil {
		return nil, s.listFailure(ctx, in.ID, err)
	}
	return nil, nil //nolint:nilnil // 204 has no body
}

// listFailure is the answer to an error of the store; a conflict comes with the version that is there.
func (s *Server) listFailure(ctx context.Context, id string, err error) error {
	p := gate.Failure(ctx, err)
	if p.Status == http.StatusTooManyRequests { // a quota: nothing changes by itself
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {"3600"}})
	}
	if !errors.Is(err, store.ErrConflict) {
		return p
	}
	current, err := s.store.GetList(ctx, id)
	if err != nil {
		return p
	}
	return huma.ErrorWithHeaders(p, http.Header{"Etag": {etag.Quoted(current.Version)}})
}

// pageFailure is for lists of the store: a cursor that is not one is the client's.
func pageFailure(err error) error {
	if errors.Is(err, store.ErrInvalid) {
		return gate.Invalid(&gate.Fault{Message: "is no cursor; start again without one", Location: "query.cursor"})
	}
	return err
}

// shown is the list of a link with names, as other sites show it.
func (s *Server) shown(r *http.Request) (*preview.List, error) {
	saved, err := s.store.GetList(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var list ListBody
	if err := json.Unmarshal(saved.Body, &list); err != nil {
		return nil, err
	}
	m := s.model.Load()
	out := &preview.List{Title: list.Title}
	if m.saved.Synthetic {
		out.Note = m.saved.Title // made-up people are named as such wherever they are shown
	}
	for _, each := range list.Tiers {
		letter, _, _ := strings.Cut(strings.TrimSpace(each.Name), " ")
		row := picture.Tier{Letter: letter, Colour: each.Colour}
		for _, id := range each.Items {
			name := strings.TrimPrefix(id, "own:")
			if i, known := m.saved.Find(id); known {
				name = titles.Plain(m.saved.ItemNames[i])
			}
			row.Names = append(row.Names, strings.ReplaceAll(name, "\u00ad", ""))
		}
		out.Tiers = append(out.Tiers, row)
	}
	return out, nil
}
