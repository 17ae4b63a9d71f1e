package server

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/use/maps"
)

type itemBody struct {
	Item    string `json:"item"`
	Name    string `json:"name"`
	Emoji   string `json:"emoji,omitempty"`
	Group   string `json:"group,omitempty"`
	Support uint32 `json:"support" doc:"Ratings that the model learned from"`
}

func (m *served) itemBody(i int) itemBody {
	b := itemBody{Item: m.saved.ItemIDs[i], Name: m.saved.ItemNames[i], Support: m.saved.Seen[i]}
	if m.index.emoji != nil {
		b.Emoji = m.index.emoji[i]
	}
	if m.index.group != nil {
		b.Group = m.index.group[i]
	}
	return b
}

type itemsInput struct {
	Conditional
	Query  string `query:"q" maxLength:"200" doc:"Part of a name or id; case and accents do not matter" example:"a"`
	Group  string `query:"group" maxLength:"200" doc:"Only items of this group"`
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" default:"50" doc:"Most items in one answer" example:"20"`
	Cursor string `query:"cursor" maxLength:"100" doc:"Where to go on: next of the answer before"`
}

type itemsOutput struct {
	Cached
	Body struct {
		Items  []itemBody `json:"items" doc:"The most rated first"`
		Next   string     `json:"next" doc:"Cursor of the next page; empty on the last"`
		Total  int        `json:"total" doc:"How many items match"`
		Groups []string   `json:"groups" doc:"All groups of the catalogue"`
	}
}

type itemInput struct {
	Conditional
	ID string `path:"id" minLength:"1" maxLength:"200" doc:"Id of an item"`
}

type itemOutput struct {
	Cached
	Body itemBody
}

type similarInput struct {
	Conditional
	ID    string `path:"id" minLength:"1" maxLength:"200" doc:"Id of an item"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"10" doc:"Most items in the answer"`
}

type similarOutput struct {
	Cached
	Body struct {
		Items []similarItem `json:"items" doc:"The nearest first"`
	}
}

type similarItem struct {
	Item       string  `json:"item"`
	Name       string  `json:"name"`
	Similarity float64 `json:"similarity" minimum:"-1" maximum:"1" doc:"Cosine of the angle between the weights of the two"`
}

func (s *Server) routeItems(api huma.API) {
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "items", Method: http.MethodGet, Path: "/v1/items", Summary: "Search the catalogue", Tags: []string{"catalogue"},
		Description: "Items whose name or id has the text of q in it, page by page.",
	}, readScope, http.StatusNotModified), s.items)
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "item", Method: http.MethodGet, Path: "/v1/items/{id}", Summary: "Tell of one item", Tags: []string{"catalogue"},
	}, readScope, http.StatusNotModified, http.StatusNotFound), s.item)
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "similar", Method: http.MethodGet, Path: "/v1/items/{id}/similar", Summary: "Find the nearest items in latent space", Tags: []string{"catalogue"},
	}, readScope, http.StatusNotModified, http.StatusNotFound), s.similar)
}

func (s *Server) items(_ context.Context, in *itemsInput) (*itemsOutput, error) {
	m := s.model.Load()
	if err := in.fresh(m.tag); err != nil {
		return nil, err
	}
	from := 0
	if in.Cursor != "" {
		place, ok := m.parseCursor(in.Cursor)
		if !ok {
			return nil, invalid(&Fault{Message: "is no cursor of this model; start again without one", Location: "query.cursor"})
		}
		from = place
	}
	found, next, total := m.index.search(in.Query, in.Group, from, in.Limit)
	out := &itemsOutput{Cached: cached(m.tag)}
	out.Body.Items = make([]itemBody, len(found))
	for k, i := range found {
		out.Body.Items[k] = m.itemBody(i)
	}
	if next >= 0 {
		out.Body.Next = m.cursor(next)
	}
	out.Body.Total, out.Body.Groups = total, m.index.groups
	return out, nil
}

// cursor names a place in the order of one model's items.
func (m *served) cursor(place int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s.%d", m.id[:8], place))
}

func (m *served) parseCursor(text string) (place int, ok bool) {
	plain, err := base64.RawURLEncoding.DecodeString(text)
	model, number, found := strings.Cut(string(plain), ".")
	if err != nil || !found || model != m.id[:8] {
		return 0, false
	}
	place, err = strconv.Atoi(number)
	return place, err == nil && place >= 0 && place < len(m.index.order)
}

func (s *Server) item(_ context.Context, in *itemInput) (*itemOutput, error) {
	m := s.model.Load()
	i, err := m.inPath(in.ID, in.Conditional)
	if err != nil {
		return nil, err
	}
	return &itemOutput{Cached: cached(m.tag), Body: m.itemBody(i)}, nil
}

// inPath is the number of the item in a path, or the answer: there is none, or the client has it already.
func (m *served) inPath(id string, c Conditional) (int, error) {
	i, known := m.saved.Find(id)
	if !known {
		return 0, problem(http.StatusNotFound, "the model has no such item; GET /v1/items lists those it has", &Fault{Message: "unknown item", Location: "path.id"})
	}
	return i, c.fresh(m.tag)
}

func (s *Server) similar(ctx context.Context, in *similarInput) (*similarOutput, error) {
	m := s.model.Load()
	i, err := m.inPath(in.ID, in.Conditional)
	if err != nil {
		return nil, err
	}
	out := &similarOutput{Cached: cached(m.tag)}
	out.Body.Items = []similarItem{}
	if m.places == nil {
		return out, nil // without units no item is near another
	}
	vectors := maps.Items(m.catalogue)
	near, err := maps.Nearest(vectors, vectors.Row(i), in.Limit, maps.Cosine, func(row int) bool { return row == i || m.saved.Seen[row] < defaultSupport })
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	for _, each := range near {
		out.Body.Items = append(out.Body.Items, similarItem{m.saved.ItemIDs[each.Row], m.saved.ItemNames[each.Row], each.Similarity})
	}
	return out, nil
}
