package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// world is a catalogue that the acceptance list is tested on: a server that fails when it is told to, a list, and items beside it.
type world struct {
	name   string
	thing  string                                                        // one of its items, in words
	title  string                                                        // of the list
	list   string                                                        // as the page keeps it
	tiers  [][]string                                                    // its items
	loose  []string                                                      // items in none of its tiers that the tray shows first
	ten    []sorting                                                     // items that are sorted, without the list
	more   []string                                                      // four beside them
	serve  func(t testing.TB) *fake                                      // a server of one's own
	long   func(t testing.TB, font string) (f *fake, item, words string) // one with a long name, and the words that it ends in
	whole  func(t testing.TB) (f *fake, list string)                     // one with a list that has everything
	asking int                                                           // questions that one change asks at most
}

// placed counts the items of the list.
func (w world) placed() (n int) {
	for _, tier := range w.tiers {
		n += len(tier)
	}
	return n
}

// eachWorld runs a test on foods, by a server that has the shapes of the real one, and on the films that the program carries,
// by the real one behind a server that can fail.
func eachWorld(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	t.Run("foods", func(t *testing.T) {
		t.Parallel()
		test(t, world{
			name: "foods", thing: "a food", title: "What I'd eat", list: sample, tiers: tiersOf(t, sample), loose: strings.Fields("cookie peach croissant pear matcha"),
			ten: tenFoods, more: strings.Fields("kiwi pear mango peach"),
			serve: func(t testing.TB) *fake { return newFake(t) },
			long: func(t testing.TB, font string) (*fake, string, string) {
				foods := readFoods(t)
				foods[0].Name = "Supercalifragilistic soup with extraordinarily long noodles and much else"
				return serveFoods(t, foods).in(font), "ramen", "much else"
			},
			whole: func(t testing.TB) (*fake, string) {
				return serveFoods(t, readFoods(t)[:6]), listOf("All", "ramen gyoza sushi", "tacos green-curry pizza")
			},
			asking: 1,
		})
	})
	t.Run("films", func(t *testing.T) {
		t.Parallel()
		chromium(t) // or it is skipped, before a world is trained
		server, numbers := films(t)
		list := filmList(t, numbers)
		ten, more := tenFilms(t, server.fake, numbers)
		test(t, world{
			name: "films", thing: "a film", title: "Films I have seen", list: list, tiers: tiersOf(t, list), loose: looseFilms(t, server.fake, list),
			ten: ten, more: more,
			serve: func(t testing.TB) *fake { return through(t, server.fake) },
			long: func(t testing.TB, font string) (*fake, string, string) {
				longest := ""
				for title := range numbers {
					if len(title) > len(longest) || len(title) == len(longest) && title < longest {
						longest = title
					}
				}
				return through(t, server.fake).in(font), numbers[longest], longest[len(longest)-12:]
			},
			whole: func(t testing.TB) (*fake, string) {
				all := itemsAt(t, server.fake)
				return through(t, server.fake), listOf("All", strings.Join(all[:len(all)/2], " "), strings.Join(all[len(all)/2:], " "))
			},
			asking: 6, // the best, those in view, and more for lanes with room as answers come in; one for each act offline would be eight
		})
	})
}

func tiersOf(t testing.TB, list string) (tiers [][]string) {
	t.Helper()
	var read struct{ Tiers []struct{ Items []string } }
	if err := json.Unmarshal([]byte(list), &read); err != nil {
		t.Fatal(err)
	}
	for _, tier := range read.Tiers {
		tiers = append(tiers, tier.Items)
	}
	return tiers
}

// itemsAt are the ids of a server's items, in its order.
func itemsAt(t testing.TB, f *fake) (all []string) {
	t.Helper()
	answer, err := http.Get(f.URL + "/v1/items?limit=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var page struct{ Items []struct{ Item string } }
	if err := json.NewDecoder(answer.Body).Decode(&page); err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		all = append(all, item.Item)
	}
	return all
}

// through is the real program behind a server that can wait, fail, name another model and block the page's font.
func through(t testing.TB, program *fake) *fake {
	t.Helper()
	to, err := url.Parse(program.URL)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{ended: make(chan string)}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // the page gives up older questions
	proxy.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() == nil {
			problem(w, http.StatusBadGateway, err.Error())
		}
	}
	proxy.ModifyResponse = func(answer *http.Response) error {
		answer.Header.Del("Content-Security-Policy") // the server in front sends it
		answer.Header.Del("X-Content-Type-Options")
		f.mu.Lock()
		model := f.model
		f.mu.Unlock()
		if model == "" || answer.Request.URL.Path != "/v1/recommend" || answer.StatusCode != http.StatusOK {
			return nil
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		named := regexp.MustCompile(`"model":\s*"[^"]*"`)
		if !named.Match(body) {
			return fmt.Errorf("the answer names no model: %.200s", body)
		}
		body = named.ReplaceAll(body, []byte(fmt.Sprintf(`"model":%q`, model)))
		answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
		answer.Header.Set("Content-Length", fmt.Sprint(len(body)))
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", f.file)
	mux.Handle("/v1/", proxy)
	mux.Handle("/list/", proxy)
	mux.HandleFunc("POST /v1/recommend", f.withFaults(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding") // so that it can be read on its way
		proxy.ServeHTTP(w, r)
	}))
	mux.HandleFunc("POST /v1/deal", f.unless(&f.dealSays, proxy.ServeHTTP))
	mux.HandleFunc("POST /v1/explain", f.unless(&f.whySays, proxy.ServeHTTP))
	mux.HandleFunc("/v1/lists/", f.unless(&f.listSays, proxy.ServeHTTP))
	f.serve(t, mux)
	return f
}

// unseen is an item of the tray whose guess was never on the screen: the record counts it.
func (b *tab) unseen(w world) string {
	b.t.Helper()
	shown := eval[[]string](b, `JSON.parse(localStorage.getItem("fubini.shown") ?? "[]")`)
	for _, item := range w.loose {
		if !slices.Contains(shown, item) && eval[bool](b, `document.querySelector(".tray [data-item='%s']") !== null`, item) {
			return item
		}
	}
	b.t.Fatalf("all of %v were guessed on the screen: %v", w.loose, shown)
	return ""
}
