package people

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/picture"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/text"
	"fubini/learn/modelstore"
	"fubini/use/maps"
)

type embedFlags struct {
	*input.DataFlags
	*unknownFlags
	*input.MatchFlags
	*supportFlags
	method   string
	items    bool
	clusters string
	plot     string
}

// Embed is the command fubini embed.
func Embed(p *cli.Program) *cobra.Command {
	f := embedFlags{method: "pca"}
	cmd := cli.Page(pages, "embed")
	cmd.Args = cli.Arguments(1, 2)
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "method", &f.method, []string{"pca", "tsne"}, "pca, principal components; tsne, t-SNE")
	cli.AddSwitch(flags, "with-items", &f.items, "items on the map")
	f.supportFlags = addSupport(p, cmd)
	cli.AddFlag(flags, "clusters", "", &f.clusters, "K", parseClusters, "groups: a number, or auto")
	cli.AddOutput(flags, "plot", "", &f.plot, "FILE", cli.ParsePicture, "draw the map, .svg or .png")
	f.unknownFlags, f.MatchFlags, f.DataFlags = addUnknown(p, cmd), input.AddMatch(p, cmd), input.AddData(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < 2 && !f.items:
			return exit.Usagef("DATA is missing: the people to put on the map; or --with-items for the items alone")
		case len(args) == 2 && f.items && f.method == "tsne":
			return exit.Usagef("t-SNE has no place for people among items; leave out DATA or --with-items, or take --method pca")
		}
		saved, space, err := input.ReadWith(args[0], (*modelstore.Saved).Space)
		if err != nil {
			return err
		}
		m := &drawnMap{Program: p, f: &f, saved: saved, space: space}
		if err := m.fill(cmd.Context(), args[1:]); err != nil {
			return err
		}
		if err := m.place(cmd.Context()); err != nil {
			return err
		}
		if _, err := cli.Await(cmd.Context(), func() (any, error) { return nil, m.cluster() }); err != nil {
			return err
		}
		if f.plot != "" {
			if err := m.draw(); err != nil {
				return err
			}
		}
		return m.write()
	}
	return cmd
}

func parseClusters(text string) (string, error) {
	if k, err := strconv.Atoi(text); text != "auto" && (err != nil || k < 1) {
		return "", fmt.Errorf("%s is not a number of groups; write one, or auto", cli.Quote(text))
	}
	return text, nil
}

type mapRow struct {
	Kind    string    `json:"kind"` // person or item
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	X       float64   `json:"x"`
	Y       float64   `json:"y"`
	Cluster int       `json:"cluster,omitempty"` // 1 for the largest
	Vector  []float64 `json:"vector"`
	item    int
}

// drawnMap is a map of people, items or both.
type drawnMap struct {
	*cli.Program
	f        *embedFlags
	saved    *modelstore.Saved
	space    *modelstore.Space
	rows     []mapRow
	vectors  maps.Vectors // of the rows that are clustered, which are the first
	kept     any          // share of variance; nil for t-SNE
	clusters int
}

// fill makes the rows, of the people in some data and of the items.
func (m *drawnMap) fill(ctx context.Context, data []string) error {
	for _, path := range data {
		items, err := input.NewItems(ctx, m.Program, m.saved, m.f.Match, path)
		if err != nil {
			return err
		}
		people, vectors, err := readVectors(ctx, m.Program, path, *m.f.DataFlags, items, m.saved, m.space, m.f.unknown)
		if err != nil {
			return err
		}
		m.vectors = vectors
		for n, each := range people {
			m.rows = append(m.rows, mapRow{Kind: "person", ID: each.id, Name: each.id, Vector: vectors.Row(n)})
		}
	}
	if m.f.items {
		items := maps.Vectors{Dim: m.space.K}
		all := maps.Items(m.space.Catalogue)
		for _, i := range m.saved.MostRated(m.f.support) {
			m.rows = append(m.rows, mapRow{Kind: "item", ID: m.saved.ItemIDs[i], Name: m.saved.ItemNames[i], Vector: all.Row(i), item: i})
			items.Data = append(items.Data, all.Row(i)...)
		}
		if len(data) == 0 {
			m.vectors = items
		}
	}
	if m.vectors.Len() == 0 {
		return fmt.Errorf("no item has %s or more; lower --min-support", text.Count(m.f.support, "rating", "ratings"))
	}
	return nil
}

func (m *drawnMap) place(ctx context.Context) error {
	var points []maps.Point
	var kept float64
	var err error
	what := "people"
	switch {
	case m.f.method == "tsne":
		points, err = maps.TSNE(ctx, m.vectors, m.Seed, m.Jobs)
	case m.f.items:
		what = "items"
		var items *maps.ItemMap
		if items, err = cli.Await(ctx, func() (*maps.ItemMap, error) { return maps.NewItemMap(m.space.Catalogue) }); err != nil {
			return err
		}
		for _, row := range m.rows {
			at := items.Embedding(row.Vector)
			if row.Kind == "item" {
				at = items.Item(row.item)
			}
			points = append(points, at)
		}
		kept = items.Kept()
	default:
		var pca *maps.PCA
		if pca, err = cli.Await(ctx, func() (*maps.PCA, error) { return maps.NewPCA(m.vectors, 2) }); err == nil {
			points, kept = pca.Points(m.vectors), pca.Kept(2)
		}
	}
	if err != nil {
		return err
	}
	for n, at := range points {
		m.rows[n].X, m.rows[n].Y = at.X, at.Y
	}
	if m.f.method != "tsne" {
		m.kept = kept
		m.Tell("the map keeps %.1f %% of the variance of the %s, in %d of %s", 100*kept, what, min(2, m.space.K), text.Count(m.space.K, "direction", "directions"))
	}
	return nil
}

func (m *drawnMap) cluster() error {
	var found *maps.Clusters
	var err error
	switch m.f.clusters {
	case "":
		return nil
	case "auto":
		const most = 10 // groups that are tried
		var silhouette float64
		if found, silhouette, err = maps.Groups(m.vectors, most, m.Seed); err != nil {
			return err
		}
		m.Tell("%s, silhouette %.3f", text.Count(len(found.Centres), "group", "groups"), silhouette)
	default:
		k, _ := strconv.Atoi(m.f.clusters) // parseClusters has seen to it
		if found, err = maps.KMeans(m.vectors, k, m.Seed); err != nil {
			return exit.Usagef("--clusters: %w", err)
		}
	}
	m.clusters = len(found.Centres)
	for n, k := range found.Of {
		m.rows[n].Cluster = k + 1
	}
	return nil
}

func (m *drawnMap) write() error {
	if m.Format == "json" {
		return m.Record(cli.Record{{"method", m.f.method}, {"kept", m.kept}, {"directions", min(2, m.space.K)}, {"of", m.space.K}, {"clusters", m.clusters}, {"rows", m.rows}})
	}
	var records []cli.Record
	for _, r := range m.rows {
		record := cli.Record{{"kind", r.Kind}, {"id", r.ID}, {"name", r.Name}, {"x", r.X}, {"y", r.Y}}
		if m.clusters > 0 {
			record = append(record, cli.Field{"cluster", cli.OrNil(r.Cluster)})
		}
		records = append(records, append(record, cli.Field{"vector", r.Vector}))
	}
	return m.Fitted(records, "vector")
}

// mostLabels is the number of items whose names are written on the picture, most rated first.
const mostLabels = 20

// draw writes the picture: a layer for each group, and for the items.
func (m *drawnMap) draw() error {
	groups := make([]picture.Layer, max(1, m.clusters))
	var items, named picture.Layer
	items.Small = true
	for _, r := range m.rows {
		at := maps.Point{X: r.X, Y: r.Y}
		if r.Kind == "item" && len(named.Points) < mostLabels {
			named.Points, named.Labels = append(named.Points, at), append(named.Labels, r.Name)
		}
		if r.Kind == "item" && r.Cluster == 0 {
			items.Points = append(items.Points, at)
			continue
		}
		layer := &groups[max(0, r.Cluster-1)]
		layer.Points, layer.Small = append(layer.Points, at), true
		if m.clusters > 0 {
			layer.Name = fmt.Sprintf("group %d", r.Cluster)
		}
	}
	title := map[string]string{"pca": "Map by principal components", "tsne": "Map by t-SNE"}[m.f.method]
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(m.f.plot), "."))
	return cli.Destination{Flag: "--plot", Path: m.f.plot}.Deliver(func(w *bufio.Writer) error { return picture.Map(w, kind, title, append(groups, items, named)) })
}
