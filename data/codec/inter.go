package codec

import (
	"bytes"
	"strings"

	"fubini/data/text"
)

// Inter is the format of RecBole's atomic files: tables with tabs between columns and a header such as
//
//	user_id:token	item_id:token	rating:float	timestamp:float
var Inter = Codec{
	Name:       "inter",
	Extensions: []string{".inter"},
	Detect: func(head []byte) bool {
		_, ok := interNames(text.FirstLine(head))
		return ok
	},
	Open: openInter,
}

// interNames takes the types off the names in a header.
func interNames(header []byte) (names [][]byte, ok bool) {
	for field := range bytes.SplitSeq(header, []byte("\t")) {
		name, kind, _ := strings.Cut(string(field), ":")
		switch strings.TrimSpace(kind) {
		case "token", "token_seq", "float", "float_seq":
		default:
			return nil, false
		}
		if name == "" {
			return nil, false
		}
		names = append(names, []byte(name))
	}
	return names, len(names) > 1
}

func openInter(in *Input, _ Options) (Source, error) {
	t, header, err := start(in)
	if err != nil {
		return nil, err
	}
	t.Separator = '\t'
	const right = "write it like user_id:token, item_id:token, rating:float, separated by tabs"
	names, ok := interNames(header)
	if !ok {
		return nil, t.Errorf("the header %s has columns without a type; %s", text.Quote(header), right)
	}
	c, ok := columnsNamed(names)
	if !ok {
		return nil, t.Errorf("the header %s lacks the user, the item or the rating; %s", text.Quote(header), right)
	}
	t.Values = names
	return t.arranged(in, c, true), nil
}
