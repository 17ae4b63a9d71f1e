package format_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"fubini/data/format"
)

// Bad lines are told of, each with its place, and what stands around them is read;
// without anybody to tell, the first one ends it.
func TestBadLinesAreReported(t *testing.T) {
	for _, c := range []struct{ name, text, users, bad string }{
		{"a table", "user,item,rating\nann,a,5\nann,b,many\nann,c\nann,d,2\nbob,,1\nbob,a,3\n", "ann a=5 d=2; bob a=3; ", "3 4 6 "},
		{"MovieLens", "1::10::5::9\n1::11::x::9\n2::10::4::9\n", "1 10=5; 2 10=4; ", "2 "},
		{"ratings as JSON", "{\"user\":1,\"item\":2,\"rating\":3}\n{\"user\":1,\"item\":\n{\"user\":2,\"item\":2,\"rating\":3}\n", "1 2=3; 2 2=3; ", "2 "},
		{"tiers", "{\"user\":1,\"tiers\":[[\"a\"],[\"b\"]]}\n{\"user\":2,\"tiers\":[[\"a\"],[7,[]]]}\nnone\n{\"user\":3,\"tiers\":[[\"a\"]]}\n", "1 a=2 b=1; 3 a=1; ", "2 3 "},
	} {
		var users, bad strings.Builder
		o := format.Options{Bad: func(b *format.BadLine) {
			if !strings.Contains(b.Error(), fmt.Sprintf("data:%d", b.Line)) || b.Name != "data" {
				t.Errorf("%s: line %d: %v", c.name, b.Line, b)
			}
			fmt.Fprintf(&bad, "%d ", b.Line)
		}}
		r, err := format.NewUserReader(strings.NewReader(c.text), "data", o)
		if err != nil {
			t.Fatal(err)
		}
		var user format.User
		for err = r.Next(&user); err == nil; err = r.Next(&user) {
			users.WriteString(user.ID + " ")
			for k, id := range user.Items {
				fmt.Fprintf(&users, "%s=%g%s", id, user.Values[k], map[bool]string{true: "; ", false: " "}[k == len(user.Items)-1])
			}
		}
		if err != io.EOF || users.String() != c.users || bad.String() != c.bad {
			t.Errorf("%s: read %q, bad lines %q, %v", c.name, users.String(), bad.String(), err)
		}
		if r, err = format.NewUserReader(strings.NewReader(c.text), "data", format.Options{}); err != nil {
			t.Fatal(err)
		}
		for err = r.Next(&user); err == nil; err = r.Next(&user) {
		}
		if err == io.EOF {
			t.Errorf("%s: strictly, nothing is wrong", c.name)
		}
	}
}

// A line without an end is not a bad one but the end of what can be read: there is no
// place to go on from.
func TestEndlessLineIsNotSkipped(t *testing.T) {
	text := "user,item,rating\nann,a,5\n" + strings.Repeat("x", 3<<20)
	r, err := format.NewUserReader(strings.NewReader(text), "data", format.Options{Bad: func(b *format.BadLine) { t.Errorf("told of %v", b) }})
	if err != nil {
		t.Fatal(err)
	}
	var user format.User
	if err := r.Next(&user); err == nil || !strings.Contains(err.Error(), "data:3") {
		t.Errorf("read %v", err)
	}
}

func TestScatteredUsersComeInStretches(t *testing.T) {
	const text = "user,item,rating\nann,a,5\nbob,a,3\nann,b,1\n"
	r, err := format.NewUserReader(strings.NewReader(text), "data", format.Options{Scattered: true})
	if err != nil {
		t.Fatal(err)
	}
	var user format.User
	var got []string
	for err = r.Next(&user); err == nil; err = r.Next(&user) {
		got = append(got, user.ID+string(user.Items[0]))
	}
	if err != io.EOF || fmt.Sprint(got) != "[anna boba annb]" {
		t.Errorf("%v, %v", got, err)
	}
}
