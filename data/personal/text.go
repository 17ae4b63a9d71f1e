package personal

import (
	"bytes"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
)

var (
	// tierLabel matches the name of a tier: S, A+, tier 3, God tier.
	tierLabel = `(?:[SABCDEFsabcdef]|SS|SSS)[+-]{0,2}(?:[ -]?[Tt]ier)?|[Tt]ier [\pL\d+-]{1,3}|[\pL\d' +-]{1,24}[ -][Tt]ier|\d{1,2}`
	// tierLine matches a tier with its items.
	tierLine = regexp.MustCompile(`^(` + tierLabel + `)\s*(?:[:：=|]|\s[-–—](?:\s|$)|\s?→)\s*(.*)$`)
	// tierHead matches a tier alone in its line, with its items below.
	tierHead = regexp.MustCompile(`^[#*\s]*((?:[SABCDEF]|SS|SSS)[+-]{0,2}(?:[ -]?[Tt]ier)?|[Tt]ier [\pL\d+-]{1,3}|[\pL\d' +-]{1,24}[ -][Tt]ier)[:：*\s]*$`)
	// bullet matches what stands before a name in a list: 1. or 2) or - or #3.
	bullet = regexp.MustCompile(`^(?:\d{1,5}[.)]\s+|#\d{1,5}[.:]?\s+|[-*•·–]\s+)`)
	// outOf matches a rating behind a name: 9/10, 4.5/5, 87/100, ★★★½, 4 stars.
	outOf  = regexp.MustCompile(`^(.*?\S)[\s:–—|,=-]*[\s:–—|,=(\[-]\(?(\d{1,3}(?:[.,]\d{1,2})?)\s?/\s?(5|10|100)\)?\]?$`)
	stars  = regexp.MustCompile(`^(.*[^\s★⭐☆½:–—|,=-])[\s:–—|,=-]*?((?:★|⭐️|⭐){0,5})(½?)☆*$`)
	inStar = regexp.MustCompile(`^(.*?\S)[\s:–—|,=-]+(\d(?:[.,]\d{1,2})?)\s?(?:stars?|★|\*)$`)
)

// sample returns the first lines of a text that are not blank, without those that the end of the head cuts off.
func sample(head []byte) (lines []string) {
	const most = 60
	whole := head
	if len(head) >= 32<<10 {
		whole = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	l := text.NewLines("", bytes.NewReader(whole))
	for len(lines) < most {
		line, err := l.NextFilled()
		if err != nil {
			if err != io.EOF {
				return nil // no text
			}
			break
		}
		lines = append(lines, string(line))
	}
	return lines
}

// share is the share of lines for which a test is true.
func share(lines []string, is func(string) bool) float64 {
	n := 0
	for _, line := range lines {
		if is(line) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(lines)))
}

// isTierText recognises tiers in plain text: the first line names a tier, with its items or alone.
func isTierText(head []byte, _ string) bool {
	lines := sample(head)
	if len(lines) == 0 || format.Detects(head) {
		return false
	}
	return tierHead.MatchString(lines[0]) && len(lines) > 1 || share(lines, tierLine.MatchString) > 0.5 && tierLine.MatchString(lines[0])
}

// ratedLine cuts the rating off a line; of is the end of its scale, 0 for none.
func ratedLine(line string) (name string, value, of float64) {
	number := func(text string) float64 {
		v, _ := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		return v
	}
	if m := outOf.FindStringSubmatch(line); m != nil {
		return m[1], number(m[2]), number(m[3])
	}
	if m := inStar.FindStringSubmatch(line); m != nil {
		return m[1], number(m[2]), 5
	}
	if m := stars.FindStringSubmatch(line); m != nil && m[2]+m[3] != "" {
		v := float64(strings.Count(m[2], "★") + strings.Count(m[2], "⭐"))
		if m[3] != "" {
			v += 0.5
		}
		return m[1], v, 5
	}
	return line, 0, 0
}

// isRatedText recognises lines with ratings behind the names.
func isRatedText(head []byte, _ string) bool {
	lines := sample(head)
	return len(lines) > 0 && !format.Detects(head) && share(lines, func(line string) bool { _, _, of := ratedLine(line); return of > 0 }) >= 0.5
}

// isList recognises a list of names: text that is no table, no markup and no format of ratings.
func isList(head []byte, base string) bool {
	lines := sample(head)
	if len(lines) == 0 || format.Detects(head) || strings.ContainsAny(lines[0][:1], "{[<") {
		return false
	}
	if slices.Contains([]string{".csv", ".tsv", ".json", ".jsonl", ".xml"}, strings.ToLower(path.Ext(base))) || bytes.IndexByte(head, '\t') >= 0 {
		return false
	}
	for _, s := range ",;" { // as many in every line: a table
		n := strings.Count(lines[0], string(s))
		if n > 0 && len(lines) > 1 && share(lines, func(line string) bool { return strings.Count(line, string(s)) == n }) == 1 {
			return false
		}
	}
	// Names have letters, and are not long.
	return share(lines, func(line string) bool { return len(line) <= 300 }) == 1
}

// lines calls each for every line of a text that is not blank.
func (x *Export) lines(in *codec.Input, each func(number int, line string)) error {
	l := in.Lines()
	for {
		line, err := l.NextFilled()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		each(l.Number, string(line))
		if x.Read > mostRecords {
			return x.count(in.Name)
		}
	}
}

// named is the item of a name in a text. It may be an id.
func named(line int, name string) Item {
	name = strings.TrimSpace(bullet.ReplaceAllString(strings.TrimSpace(name), ""))
	name = strings.Trim(name, `"“”`)
	return Item{ID: name, Line: line}
}

// readTierText reads tiers, the best first.
func readTierText(x *Export, in *codec.Input, o Options) error {
	var tiers tierNames
	var at []string
	var items []Item
	tier := ""
	add := func(line int, text string) {
		for _, name := range split(text, o.Known) {
			if strings.TrimSpace(name) == "" {
				continue // nothing behind a comma
			}
			x.Read++
			items, at = append(items, named(line, name)), append(at, tier)
		}
	}
	err := x.lines(in, func(number int, line string) {
		if m := tierLine.FindStringSubmatch(line); m != nil {
			tier = m[1]
			tiers.add(tier, "")
			add(number, m[2])
			return
		}
		if m := tierHead.FindStringSubmatch(line); m != nil {
			tier = m[1]
			tiers.add(tier, "")
			return
		}
		if tier == "" {
			x.Read++
			x.skip(number, line, "before the first tier")
			return
		}
		if bullet.MatchString(line) || !strings.Contains(line, ",") {
			x.Read++
			items, at = append(items, named(number, line)), append(at, tier)
			return
		}
		add(number, line)
	})
	if err != nil {
		return err
	}
	values := tiers.values(x)
	for k, item := range items {
		x.rate(item, values[at[k]], ratings.NoTime)
	}
	return nil
}

// articles that stand behind a comma in a title.
var article = regexp.MustCompile(`(?i)^(?:the|an?|le|la|les|der|die|das|el|il|los|las|l['’])(?:\s*\(.*\))?$`)

// split cuts the items of a tier apart: at semicolons if there are any, and otherwise at commas. A comma is part of a
// title before an article ("Matrix, The"), and where the whole is a title that is known.
func split(items string, known func(string) bool) (names []string) {
	if items = strings.TrimSpace(items); items == "" {
		return nil
	}
	if strings.Contains(items, ";") {
		return strings.Split(items, ";")
	}
	parts := quotedParts(items)
	for k := 0; k < len(parts); {
		name, to := parts[k], k+1
		for n := min(len(parts), k+5); known != nil && n > k+1; n-- {
			if joined := strings.Join(parts[k:n], ","); known(strings.TrimSpace(joined)) {
				name, to = joined, n
				break
			}
		}
		if to == k+1 && to < len(parts) && article.MatchString(strings.TrimSpace(parts[to])) {
			name, to = name+","+parts[to], to+1
		}
		names = append(names, name)
		k = to
	}
	return names
}

// quotedParts cuts a text at commas outside of quotes.
func quotedParts(text string) (parts []string) {
	quoted, from := false, 0
	for k := range len(text) {
		switch {
		case text[k] == '"':
			quoted = !quoted
		case text[k] == ',' && !quoted:
			parts = append(parts, text[from:k])
			from = k + 1
		}
	}
	return append(parts, text[from:])
}

// readRatedText reads names with ratings. With several scales all become parts of 10.
func readRatedText(x *Export, in *codec.Input, _ Options) error {
	type rated struct {
		Item
		value, of float64
	}
	var all []rated
	scales := map[float64]bool{}
	err := x.lines(in, func(number int, line string) {
		x.Read++
		name, value, of := ratedLine(line)
		item := named(number, name)
		switch {
		case of == 0 && strings.HasSuffix(line, ":"):
			x.skip(number, line, "a heading")
		case of == 0:
			x.see(item)
		case value > of:
			x.skip(number, item.ID, "a rating beyond its scale")
		default:
			scales[of] = true
			all = append(all, rated{item, value, of})
		}
	})
	if err != nil {
		return err
	}
	x.Rated = true
	for _, r := range all {
		if len(scales) > 1 {
			r.value, r.of = r.value/r.of*10, 10
		}
		x.Scale[1] = r.of
		x.rate(r.Item, float32(r.value), ratings.NoTime)
	}
	return nil
}

// readList reads names, the best first: each is a tier of its own. Where most names have a number or a dash before them,
// lines without are no names. A single line is cut at its commas or semicolons.
func readList(x *Export, in *codec.Input, o Options) error {
	var all, bare []Item
	first := ""
	err := x.lines(in, func(number int, line string) {
		if x.Read++; x.Read == 1 {
			first = line
		}
		item := named(number, line)
		if all = append(all, item); !bullet.MatchString(line) {
			bare = append(bare, item)
		}
	})
	if len(all) == 1 && o.Known != nil && !o.Known(first) {
		line := all[0].Line
		all, bare = nil, nil
		for _, name := range split(first, o.Known) {
			all = append(all, named(line, name))
		}
		x.Read = len(all)
	}
	if marked := len(all) - len(bare); marked > len(bare) && len(bare) > 0 {
		kept := all[:0]
		for _, item := range all {
			if len(bare) > 0 && bare[0].Line == item.Line {
				x.skip(item.Line, item.ID, "no number before it, as before the names")
				bare = bare[1:]
				continue
			}
			kept = append(kept, item)
		}
		all = kept
	}
	for k, item := range all {
		x.rate(item, float32(len(all)-k), ratings.NoTime)
	}
	return err
}
