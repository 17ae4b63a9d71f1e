package titles

import (
	"slices"
	"strings"
)

// numbers are those that titles write in letters.
var numbers = map[string]string{
	"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16",
	"xvii": "17", "xviii": "18", "xix": "19", "xx": "20",
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "thirteen": "13", "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
}

// single are Roman numbers of one letter, which are words and names too.
var single = map[string]string{"i": "1", "v": "5", "x": "10"}

// short are words that are often cut short.
var short = map[string]string{"versus": "vs", "volume": "vol", "pt": "part", "mister": "mr", "doctor": "dr", "saint": "st", "missus": "mrs", "episodes": "episode", "ep": "episode", "number": "no", "boulevard": "blvd"}

// parts are words before a number.
var parts = []string{"part", "episode", "vol", "chapter", "no", "book"}

// unified returns folded words with numbers in digits and some words in their short form.
func unified(folded string) string {
	if !changes(folded) {
		return folded
	}
	words := strings.Split(folded, " ")
	for k, word := range words {
		if other, there := short[word]; there {
			words[k] = other
		} else if number, there := numbers[word]; there {
			words[k] = number
		} else if number, there := single[word]; there && k > 0 {
			last := k == len(words)-1
			before := slices.Contains(parts, words[k-1])
			article := !last && slices.Contains(english, words[k+1])
			switch {
			case before, word != "i" && (last || article):
				words[k] = number
			case word == "v": // of Batman v Superman
				words[k] = "vs"
			}
		}
	}
	return strings.Join(words, " ")
}

// changing are all words that may have another form, by their first letter.
var changing = func() (all [256][]string) {
	for _, words := range []map[string]string{single, numbers, short} {
		for word := range words {
			all[word[0]] = append(all[word[0]], word)
		}
	}
	return all
}()

// changes reports whether a word of a folded text may have another form; most texts have none.
func changes(folded string) bool {
	for word := range strings.SplitSeq(folded, " ") {
		if word != "" && len(word) <= 9 && slices.Contains(changing[word[0]], word) {
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a number in digits.
func isNumber(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// withoutParts returns unified words without "part" and the like before a number: "the godfather 2".
func withoutParts(words string) string {
	if !strings.ContainsAny(words, "0123456789") {
		return words
	}
	list := strings.Split(words, " ")
	kept := list[:0:0]
	for k, word := range list {
		if k > 0 && k+1 < len(list) && slices.Contains(parts, word) && isNumber(list[k+1]) {
			continue
		}
		kept = append(kept, word)
	}
	return strings.Join(kept, " ")
}

// spelled returns words with letters in place of the digits within them, as in "se7en": nil if there are none. A 7 may be
// a V or a T.
func spelled(folded string) []string {
	if !strings.ContainsAny(folded, "013457") {
		return nil
	}
	found := false
	words := strings.Split(folded, " ")
	with := func(seven string) string {
		replace := strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", seven)
		out := slices.Clone(words)
		for k, word := range out {
			if len(word) >= 4 && strings.ContainsAny(word[1:len(word)-1], "013457") && !isNumber(strings.Trim(word, "stndrh")) && strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz") {
				out[k] = replace.Replace(word)
				found = true
			}
		}
		return strings.Join(out, " ")
	}
	v, t := with("v"), with("t")
	switch {
	case !found:
		return nil
	case v == t:
		return []string{v}
	}
	return []string{v, t}
}
