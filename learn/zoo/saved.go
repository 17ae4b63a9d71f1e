package zoo

import (
	"fmt"
	"slices"
	"strconv"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Saved is a trained model with what it needs to be used: the items it knows by
// id, and where it came from.
type Saved struct {
	Name      string // in the zoo
	Program   string // version of the program that trained it
	Seed      uint64
	Data      string // fingerprint of the ratings
	Ratings   int    // how many there were
	Users     int
	History   []Epoch
	ItemIDs   []string
	ItemNames []string // titles; the id where there is none
	Catalogue *latent.Catalogue

	index map[string]int
}

// Epoch is one line of the history of training. Keys that do not apply are left
// out of the file.
type Epoch struct {
	Epoch         int     `json:"epoch"`
	LogLikelihood float64 `json:"log_likelihood,omitempty"`
	Distance      float64 `json:"distance,omitempty"`
	Split         float64 `json:"split,omitempty"` // acceptance
	Merge         float64 `json:"merge,omitempty"`
	Gradient      float64 `json:"gradient,omitempty"`
	Validation    float64 `json:"validation,omitempty"` // NDCG@10 on held-back ratings
	ERR           float64 `json:"err,omitempty"`
}

// settings are what the file says of the model beside its tensors.
type settings struct {
	Units   string  `json:"units"`
	Hidden  int     `json:"hidden"`
	Size    float64 `json:"size"`
	Centred bool    `json:"centred"`
	Ratings int     `json:"ratings"`
	Users   int     `json:"users"`
}

// NewSaved puts a model together with the vocabulary it was trained with.
func NewSaved(name string, set *ratings.Set, c *latent.Catalogue) *Saved {
	s := &Saved{Name: name, Data: set.Fingerprint(), Ratings: set.Len(), Users: set.Users().Len(), Catalogue: c}
	for i := range uint32(set.Items().Len()) {
		s.ItemIDs = append(s.ItemIDs, set.Items().ID(i))
		s.ItemNames = append(s.ItemNames, set.Items().Name(i))
	}
	return s
}

// Find returns the number of an item by its id.
func (s *Saved) Find(id string) (int, bool) {
	if s.index == nil {
		s.index = make(map[string]int, len(s.ItemIDs))
		for i, known := range s.ItemIDs {
			s.index[known] = i
		}
	}
	i, known := s.index[id]
	return i, known
}

// List turns the ratings of one user into a tier list of the model's items, and
// returns the ids that the model does not know.
func (s *Saved) List(set *ratings.Set, user int) (list osm.List, unknown []string, err error) {
	row := set.Row(user)
	known := ratings.Row{}
	var items []int
	for k, item := range row.Items {
		id := set.Items().ID(item)
		i, there := s.Find(id)
		if !there {
			unknown = append(unknown, id)
			continue
		}
		items = append(items, i)
		known.Items = append(known.Items, item)
		known.Values = append(known.Values, row.Values[k])
	}
	if len(items) == 0 {
		return osm.List{}, unknown, nil
	}
	order, err := ratings.Order(known)
	return osm.List{Items: items, Order: order}, unknown, err
}

// File writes the model into a container.
func (s *Saved) File() (*modelfile.File, error) {
	f := modelfile.New()
	f.Metadata[modelfile.KeyModel] = s.Name
	f.Metadata[modelfile.KeyProgramVersion] = s.Program
	f.Metadata[modelfile.KeySeed] = strconv.FormatUint(s.Seed, 10)
	f.Metadata[modelfile.KeyData] = s.Data
	c := s.Catalogue
	err := f.SetJSON(modelfile.KeySettings, settings{
		Units: c.Units.String(), Hidden: c.K, Size: c.Size, Centred: c.Centred, Ratings: s.Ratings, Users: s.Users,
	})
	if err != nil {
		return nil, err
	}
	if err := f.SetJSON(modelfile.KeyHistory, s.History); err != nil {
		return nil, err
	}
	f.SetStrings(modelfile.ItemIDs, s.ItemIDs)
	f.SetStrings(modelfile.ItemNames, s.ItemNames)
	setCatalogue(f, "", c)
	return f, nil
}

// Open reads a model from its container.
func Open(f *modelfile.File) (*Saved, error) {
	s := &Saved{Name: f.Metadata[modelfile.KeyModel], Program: f.Metadata[modelfile.KeyProgramVersion], Data: f.Metadata[modelfile.KeyData]}
	if !slices.Contains(Names(), s.Name) {
		return nil, fmt.Errorf("zoo: the file holds a model %q, which this program does not know", s.Name)
	}
	var err error
	if s.Seed, err = strconv.ParseUint(f.Metadata[modelfile.KeySeed], 10, 64); err != nil {
		return nil, fmt.Errorf("zoo: the file's seed is %q", f.Metadata[modelfile.KeySeed])
	}
	var about settings
	if err := f.JSON(modelfile.KeySettings, &about); err != nil {
		return nil, err
	}
	if err := f.JSON(modelfile.KeyHistory, &s.History); err != nil {
		return nil, err
	}
	s.Ratings, s.Users = about.Ratings, about.Users
	if s.ItemIDs, err = f.Strings(modelfile.ItemIDs, -1); err != nil {
		return nil, err
	}
	if s.ItemNames, err = f.Strings(modelfile.ItemNames, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if len(s.ItemIDs) == 0 || about.Hidden < 0 {
		return nil, fmt.Errorf("zoo: the file has %d items and %d hidden units", len(s.ItemIDs), about.Hidden)
	}
	units, err := latent.ParseUnits(about.Units)
	if err != nil {
		return nil, err
	}
	s.Catalogue, err = catalogueOf(f, "", len(s.ItemIDs), about.Hidden, units, latent.Options{Size: about.Size, Centred: about.Centred})
	if err != nil {
		return nil, err
	}
	if _, known := s.Find(s.ItemIDs[0]); !known || len(s.index) != len(s.ItemIDs) {
		return nil, fmt.Errorf("zoo: the file names an item twice")
	}
	return s, nil
}

// setCatalogue stores parameters under a prefix.
func setCatalogue(f *modelfile.File, prefix string, c *latent.Catalogue) {
	items := len(c.U)
	modelfile.Set(f, prefix+"u", c.U, items)
	modelfile.Set(f, prefix+"W", c.W, items, c.K)
	modelfile.Set(f, prefix+"nu", []float64{c.Nu}, 1)
	modelfile.Set(f, prefix+"nu_k", c.NuK, c.K)
	modelfile.Set(f, prefix+"b", c.B, c.K)
}

func catalogueOf(f *modelfile.File, prefix string, items, k int, units latent.Units, options latent.Options) (*latent.Catalogue, error) {
	c := latent.NewCatalogue(items, k, units, options)
	nu := make([]float64, 1)
	for _, tensor := range []struct {
		name  string
		to    *[]float64
		shape []int
	}{{"u", &c.U, []int{items}}, {"W", &c.W, []int{items, k}}, {"nu", &nu, []int{1}}, {"nu_k", &c.NuK, []int{k}}, {"b", &c.B, []int{k}}} {
		data, err := modelfile.Get[float64](f, prefix+tensor.name, tensor.shape...)
		if err != nil {
			return nil, err
		}
		*tensor.to = data
	}
	c.Nu = nu[0]
	return c, nil
}
