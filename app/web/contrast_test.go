package web_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// tokens reads the custom properties of one block of tokens.css.
func tokens(t *testing.T, selector string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("src/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), selector+" {")
	if !found {
		t.Fatalf("tokens.css has no %s", selector)
	}
	block, _, _ := strings.Cut(after, "}")
	values := map[string]string{}
	for _, match := range regexp.MustCompile(`--([a-z0-9-]+):\s*(#[0-9A-Fa-f]{6})`).FindAllStringSubmatch(block, -1) {
		values[match[1]] = match[2]
	}
	return values
}

// luminance and ratio are those of WCAG 2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb>>(16-8*i)&255) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func ratio(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

var tierColours = []string{"beet", "tomato", "apricot", "sage", "stone", "teal", "plum", "cocoa"}

// The ratios of the design: the worst of each over every ground, in both themes.
func TestTokensKeepTheirContrast(t *testing.T) {
	for theme, selector := range map[string]string{"light": ":root", "dark": `:root[data-theme="dark"]`} {
		token := tokens(t, selector)
		promised := map[string]map[string]float64{
			"light": {"edge": 3.1, "ink": 14.5, "ink-2": 7.3, "ink-3": 4.9, "pencil": 6.0, "down": 5.6, "ok": 5.2},
			"dark":  {"edge": 3.4, "ink": 12.0, "ink-2": 7.5, "ink-3": 5.0, "pencil": 6.7, "down": 6.1, "ok": 7.2},
		}[theme]
		for name, want := range promised {
			worst := math.Inf(1)
			for _, ground := range []string{"bg", "surface", "sunken", "tile", "lane", "selection"} {
				worst = min(worst, ratio(t, token[name], token[ground]))
			}
			// The design gives one decimal.
			if !(worst >= want-0.05) {
				t.Errorf("%s: %s has %.2f on its worst ground, the design promises %.1f", theme, name, worst, want)
			}
		}
		for _, colour := range tierColours {
			if got := ratio(t, token["fill-"+colour], token["on-"+colour]); !(got >= 4.5) {
				t.Errorf("%s: text on %s has %.2f, want 4.5", theme, colour, got)
			}
			for _, ground := range []string{"surface", "selection"} {
				if got := ratio(t, token["mark-"+colour], token[ground]); !(got >= 3) {
					t.Errorf("%s: the mark of %s has %.2f on %s, want 3", theme, colour, got, ground)
				}
			}
		}
		if got := ratio(t, token["ink"], map[string]string{"light": "#FFFFFF", "dark": "#101412"}[theme]); !(got >= 4.5) {
			t.Errorf("%s: text on ink has %.2f", theme, got)
		}
	}
	if got := ratio(t, "#000000", "#FFFFFF"); math.Abs(got-21) > 1e-9 { // the known end of the scale
		t.Errorf("black on white is %g, want 21", got)
	}
}

// The dark theme is written twice, for the switch and for the system: both must say the same.
func TestDarkThemesAgree(t *testing.T) {
	chosen, system := tokens(t, `:root[data-theme="dark"]`), tokens(t, ":root:not([data-theme])")
	if len(chosen) < 30 || len(chosen) != len(system) {
		t.Fatalf("%d and %d tokens", len(chosen), len(system))
	}
	for name, value := range chosen {
		if system[name] != value {
			t.Errorf("--%s is %s by the switch and %s by the system", name, value, system[name])
		}
	}
}

// What is written on a drawn picture can be read on its paper and on its motif, and no paper is blue: blue is the pencil.
func TestPapersKeepTheirContrast(t *testing.T) {
	text, err := os.ReadFile("src/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	papers := regexp.MustCompile(`\.paper-(\w+) \{ --paper: (#\w+); --motif: (#\w+); --on-paper: (#\w+); \}`).FindAllStringSubmatch(string(text), -1)
	if len(papers) != 14 {
		t.Fatalf("%d papers", len(papers))
	}
	for _, paper := range papers {
		for _, ground := range paper[2:4] {
			if got := ratio(t, paper[4], ground); got < 4.5 {
				t.Errorf("%s: %s on %s has a ratio of %.1f", paper[1], paper[4], ground, got)
			}
		}
	}
}
