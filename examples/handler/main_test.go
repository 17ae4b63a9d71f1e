package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"fubini"
)

// The handler answers tiers with ten items, best first, and says what is wrong with a request.
func TestHandler(t *testing.T) {
	var all []fubini.Rating
	for u := range 40 {
		for k := range 12 {
			film := (7*k + u) % 20
			all = append(all, fubini.Rating{User: fmt.Sprint("u", u), Item: fmt.Sprint("film ", film), Value: float64(2 + 2*((film+u)%2))})
		}
	}
	handler := recommender(fubini.Must(fubini.Train(context.Background(), fubini.Must(fubini.Ratings(all)), fubini.Named("item-mean"))))
	for body, want := range map[string]int{`[["film 0","film 2"],["film 1"]]`: 200, `tiers`: 400, `[["no film"]]`: 422} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		if rows := strings.Count(w.Body.String(), `"score"`); w.Code != want || want == 200 && rows != 10 {
			t.Errorf("%s: %d with %d rows, want %d:\n%s", body, w.Code, rows, want, w.Body)
		}
	}
}
