package text

import "strconv"

// Count is a number and the words for one thing, or for none and several: "1 item is", "2 items are".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
