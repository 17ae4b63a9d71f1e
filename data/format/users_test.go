package format_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/core/rng"
	"fubini/data/format"
	"fubini/data/ratings"
)

// told is every user on a line: id, items with values, and where they stand.
func told(r *format.UserReader) (string, error) {
	var out strings.Builder
	var user format.User
	for {
		err := r.Next(&user)
		if err == io.EOF {
			return out.String(), nil
		} else if err != nil {
			return out.String(), err
		}
		out.WriteString(user.ID)
		for k, item := range user.Items {
			fmt.Fprintf(&out, " %s=%g@%d", item, user.Values[k], user.Lines[k])
		}
		out.WriteString("\n")
	}
}

func users(text, name, from string) (string, error) {
	r, err := format.NewUserReader(strings.NewReader(text), name, format.Options{Format: from})
	if err != nil {
		return "", err
	}
	defer r.Close()
	return told(r)
}

func TestUsersByHand(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"csv", "user,item,rating\nzoe,b,4\nzoe,a,5\nann,b,1\n", "zoe b=4@2 a=5@3\nann b=1@4\n"},
		{"csv with quotes", "item,user,rating\n\"b,c\",zoe,4\n\"a\n\",zoe,5\n", "zoe b,c=4@2 a\n=5@3\n"},
		{"semicolons", "user;item;rating\nzoe;b;4,5\n", "zoe b=4.5@2\n"},
		{"tsv without a header", "zoe\tb\t4\nzoe\ta\t5\n", "zoe b=4@1 a=5@2\n"},
		{"movielens", "1::7::4::978300760\n1::8::3::978300760\n2::7::5::978300760\n", "1 7=4@1 8=3@2\n2 7=5@3\n"},
		{"jsonl", "{\"user\":7,\"item\":\"a\",\"rating\":3}\n\n[8,\"b\",2]\n", "7 a=3@1\n8 b=2@3\n"},
		{"tiers", "{\"user\":\"ann\",\"tiers\":[[\"a\",\"b\"],[],[{\"name\":\"x\"}]]}\n", ""},
		{"tiers, one a line", "{\"user\":\"ann\",\"tiers\":[[\"a\",\"b\"],[\"c\"]]}\n{\"user\":3,\"tiers\":[]}\n{\"tiers\":[{\"name\":\"S\",\"items\":[\"c\"]}],\"user\":\"bob\"}\n",
			"ann a=2@1 b=2@1 c=1@1\n3\nbob c=1@3\n"},
	} {
		got, err := users(c.text, "data", "")
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: taken as %q", c.name, got)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, not %q (%v)", c.name, got, c.want, err)
		}
	}
}

// What cannot be read user by user says so; a user that comes twice is refused
// with its line.
func TestUsersRefused(t *testing.T) {
	for _, c := range []struct {
		name, text, from, want string
		is                     error
	}{
		{"twice", "user,item,rating\nann,a,1\nbob,a,2\nann,b,3\n", "", `data:4: user "ann" comes a second time, after others; sort the data by user`, format.ErrUserTwice},
		{"tiers twice", "{\"user\":\"ann\",\"tiers\":[[\"a\"]]}\n{\"user\":\"ann\",\"tiers\":[[\"b\"]]}\n", "", "data:2:", format.ErrUserTwice},
		{"rating", "user,item,rating\nann,a,1\nann,b,many\n", "", `data:3: rating "many" is not a finite number`, nil},
		{"large", "user,item,rating\nann,a,1\nann,b,1e39\n", "", `data:3: rating "1e39" is beyond the numbers of 32 bits, 3.4e+38 at most`, nil},
		{"width", "user,item,rating\nann,a\n", "", "data:2:", nil},
		{"item in two tiers", "{\"user\":\"ann\",\"tiers\":[[\"a\"],[\"a\"]]}\n", "", `item "a" stands twice`, nil},
		{"no tiers", "{\"user\":\"ann\",\"tiers\":[[\"a\"]]}\n{\"user\":\"bob\"}\n", "", `data:2: `, nil},
		{"a user that is none", "{\"user\":[1],\"tiers\":[[\"a\"]]}\n", "", `an id is text or a number`, nil},
		{"one person's tiers", `[["a"],["b"]]`, "", "tiers can only be read whole", format.ErrWhole},
		{"qrels", "1 0 a 3\n", "", "qrels can only be read whole", format.ErrWhole},
		{"zip", "PK\x03\x04 and more", "", "an archive can only be read whole", format.ErrWhole},
		{"empty", "\n", "", "the file is empty", format.ErrNoRatings},
		{"unknown", "what is this", "", "no format that is known", nil},
		{"no such format", "user,item,rating\n", "xls", `cannot read "xls"`, nil},
	} {
		_, err := users(c.text, "data", c.from)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
	if _, err := format.OpenUsers(fstest.MapFS{"d/x": {}}, "d", format.Options{}); !errors.Is(err, format.ErrWhole) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := format.OpenUsers(fstest.MapFS{}, "none", format.Options{}); err == nil {
		t.Error("no such file")
	}
}

// Every format that can be read user by user gives what reading it whole gives,
// packed or not.
func TestUsersAgainstWhole(t *testing.T) {
	b := ratings.NewBuilder()
	r := rng.Stream(1, "users")
	for u := range 3000 {
		for i := range 1 + u%7 {
			if err := b.Add(fmt.Append(nil, "u", u), fmt.Append(nil, "item ", i*i), float32(r.IntN(10))/2, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"csv", "tsv", "jsonl", "parquet"} {
		var text bytes.Buffer
		if err := format.Write(&text, set, format.Options{Format: name}); err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(text.Bytes()); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"plain": {Data: text.Bytes()}, "packed.gz": {Data: packed.Bytes()}}
		for file := range files {
			reader, err := format.OpenUsers(files, file, format.Options{})
			if name == "parquet" && file == "packed.gz" {
				if !errors.Is(err, format.ErrWhole) {
					t.Errorf("packed Parquet: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			var user format.User
			for u := range set.Users().Len() {
				if err := reader.Next(&user); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				row := set.Row(u)
				var items []string
				for _, i := range row.Items {
					items = append(items, set.Items().ID(i))
				}
				var got []string
				for _, i := range user.Items {
					got = append(got, string(i))
				}
				if user.ID != set.Users().ID(uint32(u)) || !slices.Equal(got, items) || !slices.Equal(user.Values, row.Values) {
					t.Fatalf("%s: user %s has %q %v, read whole %q %v", name, user.ID, got, user.Values, items, row.Values)
				}
			}
			if err := reader.Next(&user); err != io.EOF || reader.Report().Kept != set.Len() || reader.Report().Format != name {
				t.Errorf("%s: %v, %+v", name, err, reader.Report())
			}
			reader.Close()
		}
	}
}

// After many users whose ids ascend one who comes twice is known all the same, in a
// file; a stream that breaks its order so late is refused.
func TestUsersWhoseOrderBreaksLate(t *testing.T) {
	for name, id := range map[string]string{"as numbers": "u%d", "as text": "u%06d"} {
		var sorted strings.Builder
		sorted.WriteString("user,item,rating\n")
		const many = 70_000
		for u := range many {
			fmt.Fprintf(&sorted, id+",a,1\n", u+10)
		}
		count := func(end string, file bool) (int, error) {
			text := sorted.String() + end
			r, err := format.NewUserReader(strings.NewReader(text), "data", format.Options{})
			if file {
				r, err = format.OpenUsers(fstest.MapFS{"data": {Data: []byte(text)}}, "data", format.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var user format.User
			for n := 0; ; n++ {
				if err := r.Next(&user); err == io.EOF {
					return n, nil
				} else if err != nil {
					return n, err
				}
			}
		}
		if n, err := count("", false); n != many || err != nil {
			t.Errorf("%s: %d users, %v", name, n, err)
		}
		if n, err := count("a,a,1\nb,a,1\n", true); n != many+2 || err != nil {
			t.Errorf("%s, and two more: %d users, %v", name, n, err)
		}
		for _, again := range []string{fmt.Sprintf("a,a,1\n"+id+",a,1\n", 50), fmt.Sprintf(id+",a,1\n", 69_000), "a,a,1\nb,a,1\na,b,1\n"} {
			if _, err := count(again, true); !errors.Is(err, format.ErrUserTwice) {
				t.Errorf("%s, then %q: %v", name, again, err)
			}
		}
		if _, err := count("a,a,1\n", false); err == nil || !strings.Contains(err.Error(), "data:70002: user \"a\": the ids of users ascended") {
			t.Errorf("%s, from a stream: %v", name, err)
		}
	}
}

// What is read user by user is read whole too, with as many users and ratings, unless
// somebody rates an item twice, which only the whole reader minds.
func FuzzUsers(f *testing.F) {
	for _, text := range []string{
		"user,item,rating\nann,a,1\nbob,a,2\n", "1::7::4::978300760\n", "[8,\"b\",2]\n", "{\"user\":\"ann\",\"tiers\":[[\"a\"],[\"b\"]]}\n", "a\tb\t1\n", "user;item;rating\na;\"b;c\";1,5\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := format.NewUserReader(bytes.NewReader(text), "data", format.Options{})
		if err != nil {
			return
		}
		defer r.Close()
		users, rated := 0, 0
		var user format.User
		for ; ; users++ {
			if err := r.Next(&user); err == io.EOF {
				break
			} else if err != nil {
				return
			}
			rated += len(user.Items)
		}
		if strings.HasPrefix(r.Report().Format, "tiers") {
			return // a format that is read no other way
		}
		set, _, err := format.ReadStream(bytes.NewReader(text), "data", format.Options{})
		switch {
		case errors.Is(err, ratings.ErrDuplicate), errors.Is(err, format.ErrNoRatings) && rated == 0:
		case err != nil && !strings.Contains(err.Error(), "time"): // times are not looked at
			t.Errorf("%q: read user by user, but whole: %v", text, err)
		case err == nil && (set.Users().Len() != users || set.Len() != rated):
			t.Errorf("%q: %d users and %d ratings, whole %d and %d", text, users, rated, set.Users().Len(), set.Len())
		}
	})
}

func ExampleUserReader() {
	text := "user,item,rating\nann,Alien,5\nann,Brazil,3\nbob,Clue,4\n"
	r, err := format.NewUserReader(strings.NewReader(text), "ratings.csv", format.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	var user format.User
	for r.Next(&user) == nil {
		fmt.Printf("%s: %s %v\n", user.ID, user.Items, user.Values)
	}
	// Output:
	// ann: [Alien Brazil] [5 3]
	// bob: [Clue] [4]
}
