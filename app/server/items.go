package server

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fubini/app/etag"
	"fubini/app/gate"
	"fubini/use/maps"
)

// ItemBody is what the catalogue has of an item.
type ItemBody struct {
	Item    string `json:"item"`
	Name    string `json:"name"`
	Emoji   string `json:"emoji,omitempty"`
	Group   string `json:"group,omitempty"`
	Support uint32 `json:"support" doc:"Ratings that the model learned from"`

	// What a catalogue says of it.
	Year    int      `json:"year,omitempty"`
	Groups  []string `json:"groups,omitempty" doc:"All groups; group is the first"`
	Picture string   `json:"picture,omitempty" doc:"An address, or the name of a file beside the catalogue"`
	Link    string   `json:"link,omitempty"`
	IDs     []string `json:"ids,omitempty" doc:"Ids in other catalogues, such as imdb:tt0133093"`
}

func (m *served) itemBody(i int) ItemBody {
	b := ItemBody{Item: m.saved.ItemIDs[i], Name: m.saved.ItemNames[i], Support: m.saved.Seen[i]}
	if m.saved.ItemEmoji != nil {
		b.Emoji = m.saved.ItemEmoji[i]
	}
	if m.saved.ItemGroups != nil {
		b.Group = m.saved.ItemGroups[i]
	}
	if m.saved.ItemFacts != nil {
		facts := &m.saved.ItemFacts[i]
		b.Year, b.Groups, b.Picture, b.Link, b.IDs = facts.Year, facts.Groups, facts.Picture, facts.Link, facts.IDs
	}
	return b
}

type itemsInput struct {
	etag.Conditional
	Query  string `query:"q" maxLength:"200" doc:"Part of a name or id; case and accents do not matter" example:"a"`
	Group  string `query:"group" maxLength:"200" doc:"Only items of this group"`
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" default:"50" doc:"Most items in one answer" example:"20"`
	Cursor string `query:"cursor" maxLength:"100" doc:"Where to go on: next of the answer before"`
	Typos  bool   `query:"typos" doc:"Best matches of q first, in one page without a cursor; where no name has q in it, those closest to it"`
}

type itemsOutputBody struct {
	Items  []ItemBody `json:"items" doc:"The most rated first; with typos the best matches"`
	Next   string     `json:"next" doc:"Cursor of the next page; empty on the last"`
	Total  int        `json:"total" doc:"How many items match"`
	Groups []string   `json:"groups" doc:"All groups of the catalogue"`
	Close  bool       `json:"close" doc:"No name has q in it: the items are those with the closest names"`
}

// ItemID is the item that the path of a request names.
type ItemID struct {
	etag.Conditional
	ID string `path:"id" minLength:"1" maxLength:"200" doc:"Id of an item, or a title that is one item for sure; the answer has the id"`
}

type similarInput struct {
	ItemID
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"10" doc:"Most items in the answer"`
}

type similarOutputBody struct {
	Items []similarItem `json:"items" doc:"The nearest first"`
}

type similarItem struct {
	Item       string  `json:"item"`
	Name       string  `json:"name"`
	Similarity float64 `json:"similarity" minimum:"-1" maximum:"1" doc:"Cosine of the angle between the weights of the two"`
}

func (s *Server) items(_ context.Context, in *itemsInput) (*etag.Answer[itemsOutputBody], error) {
	m := s.model.Load()
	if err := in.Fresh(m.tag); err != nil {
		return nil, err
	}
	from := 0
	if in.Cursor != "" {
		place, ok := m.parseCursor(in.Cursor)
		if !ok {
			return nil, gate.Invalid(&gate.Fault{Message: "is no cursor of this model; start again without one", Location: "query.cursor"})
		}
		from = place
	}
	var found []int
	next, total, close := -1, 0, false
	if in.Typos && strings.TrimSpace(in.Query) != "" {
		found, close = m.finder.Search(in.Query, len(m.saved.ItemIDs))
		if in.Group != "" {
			found = slices.DeleteFunc(found, func(i int) bool { return m.saved.ItemGroups == nil || m.saved.ItemGroups[i] != in.Group })
		}
		total = len(found)
		found = found[:min(total, in.Limit)]
	} else {
		found, next, total = m.index.Search(in.Query, in.Group, from, in.Limit)
	}
	body := itemsOutputBody{Items: make([]ItemBody, len(found)), Total: total, Groups: m.index.Groups, Close: close}
	for k, i := range found {
		body.Items[k] = m.itemBody(i)
	}
	if next >= 0 {
		body.Next = m.cursor(next)
	}
	return etag.Unless(in.Conditional, m.tag, body)
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
	return place, err == nil && place >= 0 && place < len(m.index.Order)
}

func (s *Server) item(_ context.Context, in *ItemID) (*etag.Answer[ItemBody], error) {
	m := s.model.Load()
	i, err := m.inPath(in)
	if err != nil {
		return nil, err
	}
	return etag.Unless(in.Conditional, m.tag, m.itemBody(i))
}

// inPath is the number of the item in a path, or the answer: there is none, or the client has it already.
func (m *served) inPath(in *ItemID) (int, error) {
	i, known := m.finder.Sure(in.ID)
	if !known {
		return 0, gate.NewProblem(http.StatusNotFound, unknownItem, &gate.Fault{Message: "unknown item", Location: "path.id"})
	}
	return i, in.Fresh(m.tag)
}

func (s *Server) similar(_ context.Context, in *similarInput) (*etag.Answer[similarOutputBody], error) {
	m := s.model.Load()
	i, err := m.inPath(&in.ItemID)
	if err != nil {
		return nil, err
	}
	body := similarOutputBody{Items: []similarItem{}}
	if m.places == nil {
		return etag.Unless(in.Conditional, m.tag, body) // without units no item is near another
	}
	vectors := maps.Items(m.catalogue)
	near, err := maps.Nearest(vectors, vectors.Row(i), in.Limit, maps.Cosine, func(row int) bool { return row == i || m.saved.Seen[row] < defaultSupport })
	if err != nil {
		return nil, err
	}
	for _, each := range near {
		body.Items = append(body.Items, similarItem{m.saved.ItemIDs[each.Row], m.saved.ItemNames[each.Row], each.Similarity})
	}
	return etag.Unless(in.Conditional, m.tag, body)
}

func (s *Server) about(_ context.Context, in *etag.Conditional) (*etag.Answer[modelBody], error) {
	m := s.model.Load()
	return etag.Unless(*in, m.tag, m.about)
}
