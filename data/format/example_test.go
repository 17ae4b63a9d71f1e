package format_test

import (
	"fmt"
	"os"
	"strings"

	"fubini/data/format"
)

func Example() {
	in := strings.NewReader("userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,1029,3.0,1260759179\n")
	set, report, err := format.ReadStream(in, "standard input", format.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Format, set.Len(), "ratings")
	if err := format.Write(os.Stdout, set, format.Options{Format: "jsonl"}); err != nil {
		fmt.Println(err)
	}

	_, _, err = format.ReadStream(strings.NewReader("1::31::2.5\n1::1029::many\n"), "ratings.dat", format.Options{})
	fmt.Println(err)
	// Output:
	// movielens 2 ratings
	// {"user":"1","item":"1029","rating":3,"timestamp":1260759179}
	// {"user":"1","item":"31","rating":2.5,"timestamp":1260759144}
	// ratings.dat:2: rating "many" is not a finite number; write it like 4 or 3.5, or as a grade like A+
}
