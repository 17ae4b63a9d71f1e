package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"fubini/app/gate"
	"fubini/app/lookup"
	"fubini/data/codec"
	"fubini/data/personal"
)

// Limits of an import.
const (
	mostImported = 16 << 20  // bytes of the body; an export with 20,000 films has five million
	mostUnpacked = 64 << 20  // bytes of what it unpacks to
	wideImport   = 256 << 10 // bytes of a body from which on the request is one that takes long
)

type importInput struct {
	Name    string `query:"name" maxLength:"200" doc:"Name of the file, for messages, and where the content fits two forms" example:"list.txt"`
	Columns string `query:"columns" maxLength:"1000" doc:"Names of the columns of a table by their roles (user, item, rating, time, title, tier), where they are not understood; as --columns of the command" example:"item=Board Game,rating=Stars"`
	Type    string `header:"Content-Type" maxLength:"200" doc:"Of a form with a file or a text in it, multipart/form-data; otherwise the body is the file"`
	RawBody []byte
}

// file is the file of the request: its body, or the first part of a form that has a file name or is called text or file.
func (in *importInput) file() (name string, content []byte, err error) {
	kind, parameters, err := mime.ParseMediaType(in.Type)
	if err != nil || kind != "multipart/form-data" {
		return in.Name, in.RawBody, nil
	}
	parts := multipart.NewReader(bytes.NewReader(in.RawBody), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return "", nil, errors.New("the form has no part with a file, and none that is called file or text")
		}
		if name := part.FileName(); name != "" || part.FormName() == "file" || part.FormName() == "text" {
			content, err := io.ReadAll(part) // the body is in memory already
			return cmp.Or(in.Name, name), content, err
		}
	}
}

type importOutputBody struct {
	lookup.Answer
	Model string `json:"model" doc:"Id of the model that answered"`
}

// imports reads a file or a text and finds its items in the model.
func (s *Server) imports(ctx context.Context, in *importInput) (*importOutputBody, error) {
	m := s.model.Load()
	if len(in.RawBody) > wideImport {
		leave, err := s.Wide(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	var columns map[string]string
	if in.Columns != "" {
		var err error
		if columns, err = codec.ParseColumns(in.Columns); err != nil {
			return nil, gate.NewProblem(http.StatusUnprocessableEntity, gate.Short(err.Error(), 2000), &gate.Fault{Message: "cannot be read", Location: "query.columns"})
		}
	}
	name, content, err := in.file()
	name = gate.Short(cmp.Or(name, "the text"), 200)
	var x *personal.Export
	if err == nil {
		x, err = personal.ReadStream(bytes.NewReader(content), name, personal.Options{Known: m.finder.Known, Most: mostUnpacked, Columns: columns})
	}
	if errors.Is(err, codec.ErrColumns) {
		err = fmt.Errorf("%w; name them in the request: ?columns=item=NAME,rating=NAME", err)
	}
	if err == nil && len(x.People) > lookup.MostPeople {
		err = fmt.Errorf("%s holds %d people; at most %d are read at once", name, len(x.People), lookup.MostPeople)
	}
	if err != nil {
		return nil, gate.NewProblem(http.StatusUnprocessableEntity, gate.Short(err.Error(), 2000), &gate.Fault{Message: "cannot be read", Location: "body"})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &importOutputBody{*m.finder.Import(x), m.id}, nil
}
