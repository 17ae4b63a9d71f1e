package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
)

// once refuses queries in which a parameter comes twice: two programs that read it may
// see two different values.
func once(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "" {
			next.ServeHTTP(w, r)
			return
		}
		values, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			writeProblem(w, r, problem(http.StatusBadRequest, "the query cannot be read", &Fault{Message: "wrongly escaped", Location: "query"}))
			return
		}
		var faults []*Fault
		for name, all := range values {
			if len(all) > 1 {
				faults = append(faults, &Fault{Message: "comes more than once; it may come once", Location: shortText("query."+name, mostEchoed)})
			}
		}
		if len(faults) > 0 {
			slices.SortFunc(faults, func(a, b *Fault) int { return cmp.Compare(a.Location, b.Location) })
			writeProblem(w, r, invalid(faults...))
			return
		}
		next.ServeHTTP(w, r)
	})
}
