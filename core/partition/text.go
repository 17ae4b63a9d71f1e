package partition

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// String writes the blocks best first: "0~2 > 1" for items 0 and 2 above 1.
// [Parse] reads it back.
func (x *Partition) String() string {
	if len(x.start) == 0 {
		return "" // the zero value, which has no items
	}
	var b strings.Builder
	for t, block := range x.Blocks() {
		if t > 0 {
			b.WriteString(" > ")
		}
		for k, item := range block {
			if k > 0 {
				b.WriteByte('~')
			}
			b.WriteString(strconv.Itoa(item))
		}
	}
	if x.lifted >= 0 {
		fmt.Fprintf(&b, " (%d lifted)", x.lifted)
	}
	return b.String()
}

// Parse reads the form that String writes; spaces around items are ignored.
func Parse(text string) (*Partition, error) {
	var blocks [][]int
	for _, part := range strings.Split(text, ">") {
		var block []int
		for _, word := range strings.Split(part, "~") {
			item, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return nil, fmt.Errorf("partition: %q: %q is not an item number; write blocks best first, as in 0~2 > 1", text, strings.TrimSpace(word))
			}
			block = append(block, item)
		}
		blocks = append(blocks, block)
	}
	return FromBlocks(blocks)
}

// MarshalJSON writes the blocks as lists of items, best first: [[0,2],[1]].
func (x *Partition) MarshalJSON() ([]byte, error) {
	if x.lifted >= 0 {
		return nil, fmt.Errorf("partition: item %d is lifted; insert it before writing", x.lifted)
	}
	return json.Marshal(x.Blocks())
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *Partition) UnmarshalJSON(data []byte) error {
	var blocks [][]int
	if err := json.Unmarshal(data, &blocks); err != nil {
		return fmt.Errorf("partition: %w", err)
	}
	y, err := FromBlocks(blocks)
	if err != nil {
		return err
	}
	*x = *y
	return nil
}
