package main

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/learn/modelstore"
	"fubini/model/latent"
	"fubini/use/maps"
)

// mapRow is one person or item on a map.
type mapRow struct {
	Kind    string    `json:"kind"` // person or item
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	X       float64   `json:"x"`
	Y       float64   `json:"y"`
	Cluster int       `json:"cluster,omitempty"` // 1 for the largest
	Vector  []float64 `json:"vector"`
}

// drawnMap is a map with the share of variance that it keeps.
type drawnMap struct {
	rows     []mapRow
	kept     any // share of variance; nil for t-SNE
	of       int
	clusters int
}

func (p *program) embed(ctx context.Context, f *embedFlags, data string, saved *modelstore.Saved, space *modelstore.Space) (*drawnMap, error) {
	m := &drawnMap{of: space.K}
	var vectors maps.Vectors // of those that are clustered
	if data != "" {
		people, err := p.readPeople(ctx, data, f.DataFlags, saved, f.unknown)
		if err != nil {
			return nil, err
		}
		vectors, err = cli.Await(ctx, func() (maps.Vectors, error) { return vectorsOf(people, space) })
		if err != nil {
			return nil, err
		}
		for n, each := range people {
			m.rows = append(m.rows, mapRow{Kind: "person", ID: each.id, Name: each.id, Vector: vectors.Row(n)})
		}
	}
	if f.items {
		items := maps.Vectors{Dim: space.K}
		all := maps.Items(space.Catalogue)
		for _, i := range saved.MostRated(f.support) {
			m.rows = append(m.rows, mapRow{Kind: "item", ID: saved.ItemIDs[i], Name: saved.ItemNames[i], Vector: all.Row(i)})
			items.Data = append(items.Data, all.Row(i)...)
		}
		if data == "" {
			vectors = items
		}
	}
	if vectors.Len() == 0 {
		return nil, fmt.Errorf("no item has %d ratings or more; lower --min-support", f.support)
	}
	if err := m.place(ctx, p, f, data != "", vectors, saved, space.Catalogue); err != nil {
		return nil, err
	}
	return cli.Await(ctx, func() (*drawnMap, error) { return m, m.cluster(p, f, vectors) })
}

// place finds x and y of all rows.
func (m *drawnMap) place(ctx context.Context, p *program, f *embedFlags, people bool, vectors maps.Vectors, saved *modelstore.Saved, catalogue *latent.Catalogue) error {
	if f.method == "tsne" {
		points, err := maps.TSNE(ctx, vectors, p.Seed, p.Jobs)
		if err != nil {
			return err
		}
		for n, at := range points {
			m.rows[n].X, m.rows[n].Y = at.X, at.Y
		}
		return nil
	}
	var kept float64
	if f.items {
		items, err := cli.Await(ctx, func() (*maps.ItemMap, error) { return maps.NewItemMap(catalogue) })
		if err != nil {
			return err
		}
		for n := range m.rows {
			row := &m.rows[n]
			at := items.Embedding(row.Vector)
			if row.Kind == "item" {
				i, _ := saved.Find(row.ID)
				at = items.Item(i)
			}
			row.X, row.Y = at.X, at.Y
		}
		kept = items.Kept()
	} else {
		pca, err := cli.Await(ctx, func() (*maps.PCA, error) { return maps.NewPCA(vectors, 2) })
		if err != nil {
			return err
		}
		for n, at := range pca.Points(vectors) {
			m.rows[n].X, m.rows[n].Y = at.X, at.Y
		}
		kept = pca.Kept(2)
	}
	m.kept = kept
	what := "people"
	if f.items {
		what = "items"
	}
	p.Tell("the map keeps %.1f %% of the variance of the %s, in %d of %d directions", 100*kept, what, min(2, m.of), m.of)
	return nil
}

// mostGroups is the largest number of groups that auto tries.
const mostGroups = 10

// cluster groups the first rows, those of the vectors.
func (m *drawnMap) cluster(p *program, f *embedFlags, vectors maps.Vectors) error {
	if f.clusters == "" {
		return nil
	}
	var found *maps.Clusters
	var err error
	if f.clusters == "auto" {
		var silhouette float64
		if found, silhouette, err = maps.Groups(vectors, mostGroups, p.Seed); err == nil {
			p.Tell("%d groups, silhouette %.3f", len(found.Centres), silhouette)
		}
	} else {
		k, _ := strconv.Atoi(f.clusters) // parseClusters has seen to it
		if found, err = maps.KMeans(vectors, k, p.Seed); err != nil {
			return exit.Usagef("--clusters: %w", err)
		}
	}
	if err != nil {
		return err
	}
	m.clusters = len(found.Centres)
	for n, k := range found.Of {
		m.rows[n].Cluster = k + 1
	}
	return nil
}

func (p *program) writeMap(w *bufio.Writer, method string, m *drawnMap) error {
	if p.Format == "json" {
		return p.WriteRecord(w, []cli.Field{{"method", method}, {"kept", m.kept}, {"directions", min(2, m.of)}, {"of", m.of}, {"clusters", m.clusters}, {"rows", m.rows}})
	}
	var records [][]cli.Field
	for _, r := range m.rows {
		record := []cli.Field{{"kind", r.Kind}, {"id", r.ID}, {"name", r.Name}, {"x", r.X}, {"y", r.Y}}
		if m.clusters > 0 {
			cluster := any(nil)
			if r.Cluster > 0 {
				cluster = r.Cluster
			}
			record = append(record, cli.Field{"cluster", cluster})
		}
		records = append(records, append(record, cli.Field{"vector", r.Vector}))
	}
	return p.WriteRecords(w, records)
}

// drawMap writes the picture: a layer for each group, and for the items.
func (p *program) drawMap(f *embedFlags, m *drawnMap) error {
	groups := make([]maps.Layer, max(1, m.clusters))
	var items, named maps.Layer
	items.Small = true
	for _, r := range m.rows {
		at := maps.Point{X: r.X, Y: r.Y}
		if r.Kind == "item" && len(named.Points) < f.labels {
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
	title := "Map by principal components"
	if f.method == "tsne" {
		title = "Map by t-SNE"
	}
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(f.plot), "."))
	return cli.Destination{Flag: "--plot", Path: f.plot}.Deliver(func(w *bufio.Writer) error { return maps.Picture(w, kind, title, append(groups, items, named)) })
}
