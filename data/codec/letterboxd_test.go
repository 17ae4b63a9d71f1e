package codec_test

import (
	"testing"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
)

// Films are called by name and year; a second one of that name and year also by the end of its address.
func TestLetterboxd(t *testing.T) {
	const header = "Date,Name,Year,Letterboxd URI,Rating\n"
	text := header + "2020-01-01,Alien,1979,https://boxd.it/1,4.5\n2020-01-01,\"A, B\",,https://boxd.it/2,\n2020-01-02,Alien,1979,https://boxd.it/3/,0.5\n"
	if !codec.Letterboxd.Detect([]byte(text)) {
		t.Error("not detected")
	}
	s, counts, err := codectest.ReadBytes(&codec.Letterboxd, []byte(text), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := codectest.Spell(s), "me Alien (1979)=4.5 Alien (1979) #3=0.5\n"; got != want || counts.Dropped["not rated"] != 1 || counts.Lines != 3 {
		t.Errorf("%q, want %q; %+v", got, want, counts)
	}
	for line, words := range map[string][]string{
		"2020-01-01,Alien,1979,u,5.5\n":    {":2:", "5.5", "half stars"},
		"2020-01-01,Alien,1979,u,4.25\n":   {":2:", "4.25"},
		"2020-01-01,Alien,1979,u,good\n":   {":2:", "good"},
		"yesterday,Alien,1979,u,4\n":       {":2:", "yesterday"},
		"2020-01-01,,1979,u,4\n":           {":2:", "without a name"},
		"2020-01-01,Alien,1979,u,4,more\n": {":2:", "6 columns"},
	} {
		_, _, err := codectest.ReadBytes(&codec.Letterboxd, []byte(header+line), codec.Options{})
		codectest.CheckRefused(t, err, words...)
	}
}
