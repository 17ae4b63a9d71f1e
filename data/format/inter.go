package format

import (
	"bytes"
	"io"
	"strings"

	"fubini/data/ratings"
)

// interCodec reads the atomic files of RecBole: tabs, and a header such as
//
//	user_id:token	item_id:token	rating:float	timestamp:float
var interCodec = codec{
	name:       "inter",
	extensions: []string{".inter"},
	detect: func(head []byte) bool {
		_, ok := interNames(firstLine(head))
		return ok
	},
	read: readInter,
}

// interNames takes the types off the names in a header.
func interNames(header []byte) (names [][]byte, ok bool) {
	for field := range bytes.SplitSeq(header, []byte("\t")) {
		name, kind, typed := strings.Cut(string(field), ":")
		switch strings.TrimSpace(kind) {
		case "token", "token_seq", "float", "float_seq":
		default:
			return nil, false
		}
		if !typed || name == "" {
			return nil, false
		}
		names = append(names, []byte(name))
	}
	return names, len(names) > 1
}

func readInter(in *input, b *ratings.Builder, o Options) error {
	t := &table{lines: newLines(in.name, in.r), separator: '\t'}
	defer t.close()
	if err := t.next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	header := bytes.Join(t.fields, []byte("\t"))
	const right = "write it like user_id:token, item_id:token, rating:float, separated by tabs"
	names, ok := interNames(header)
	if !ok {
		return t.errorf("the header %s has columns without a type; %s", quote(header), right)
	}
	c, ok := named(names)
	if !ok {
		return t.errorf("the header %s lacks the user, the item or the rating; %s", quote(header), right)
	}
	return t.ratings(in, b, c)
}
