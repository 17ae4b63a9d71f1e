package votes

import (
	"errors"
	"strings"
	"testing"

	"fubini/data/codec"
)

// Columns that are given by their roles are read in all forms that have some, whatever other columns are called.
func TestColumnsByRole(t *testing.T) {
	roles := func(text string) map[string]string {
		columns := map[string]string{}
		for _, field := range strings.Split(text, ",") {
			role, name, _ := strings.Cut(field, "=")
			columns[role] = name
		}
		return columns
	}
	for _, c := range []struct {
		name, content, columns string
		o                      Options
		form, want             string
	}{
		{"pairs", "Answer 1,Answer 2,Who,Judge,Times\nx,y,x,ann,2\nx,y,Answer 2,bob,1\ny,x,tie,ann,1\n", "item_a=Answer 1,item_b=Answer 2,winner=Who,rater=Judge,weight=Times", Options{Rater: "auto"}, "pairs",
			"2: x.0 > y.1 x2 by ann\n3: y.1 > x.0 x1 by bob\n4: y.0=x.1 x1 by ann\n"},
		{"raters that nobody asked for", "p,q,winner,rater\nx,y,x,ann\n", "item_a=p,item_b=q,rater=rater", Options{}, "pairs", "2: x.0 > y.1 x1\n"},
		{"one side by a known name", "first;model_b;winner\nx;y;model_b\n", "item_a=First", Options{}, "pairs", "2: y.1 > x.0 x1\n"},
		{"another column is called winner", "winner,a,b,truth\ny,x,y,x\n", "winner=truth", Options{}, "pairs", "2: x.0 > y.1 x1\n"},
		{"a side is called winner", "winner,other,best\nx,y,other\n", "item_a=winner,item_b=other,winner=best", Options{}, "pairs", "2: y.1 > x.0 x1\n"},
		{"sides named after each other's words", "Right,Left,Who\nx,y,Left\nx,y,Right\n", "item_a=Right,item_b=Left,winner=Who", Options{}, "pairs", "2: y.1 > x.0 x1\n3: x.0 > y.1 x1\n"},
		{"winners", "beat,was_beaten,even\nx,y,0\nx,y,yes\n", "winner=beat,loser=was beaten,draw=even", Options{}, "pairs", "2: x.0 > y.1 x1\n3: x.0=y.1 x1\n"},
		{"sides at home", "host\tguest\twon\np\tq\thost\nq\tp\taway\np\tq\tp\n", "home=host,away=guest,winner=won", Options{}, "pairs", "2: p.0 > q.1 x1\n3: p.1 > q.0 x1\n4: p.0 > q.1 x1\n"},
		{"results", "host,guest,g1,g2\nx,y,1,0\nx,y,2,2\n", "home=host,away=guest,home_score=g1,away_score=g2", Options{}, "results", "2: x.0 > y.1 x1\n3: x.0=y.1 x1\n"},
		{"pairs in a table of results", "home,away,home_score,away_score,p,q,w\nx,y,1,0,x,y,y\n", "item_a=p,item_b=q,winner=w", Options{}, "pairs", "2: y.1 > x.0 x1\n"},
		{"objects", `{"p":"x","q":"y","w":"q"}`, "item_a=p,item_b=q,winner=w", Options{}, "pairs", "1: y.1 > x.0 x1\n"},
		{"tier lists", `{"order":[["x"],["y","z"]],"n":3,"who":"ann"}` + "\n" + `{"order":[["z"],["y"]],"n":1,"who":"bob"}`, "tiers=order,weight=n,rater=who", Options{Rater: "auto"}, "tiers",
			"1: x.0 > y.1=z.2 x3 by ann\n2: z.0 > y.1 x1 by bob\n"},
		{"ranks", "Panel,x,y,Ballots\nann,1,2,5\n", "rater=Panel,weight=Ballots", Options{}, "ranks", "2: x.0 > y.1 x5\n"},
		{"ratings", "Who,Board Game,Stars\nann,x,5\nann,y,3\n", "user=Who,item=Board Game,rating=Stars", Options{Rater: "auto"}, "ratings", "0: x.0 > y.1 x1 by ann\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Columns = roles(c.columns)
			s, err := ReadStream(strings.NewReader(c.content), "file", c.o)
			if err != nil {
				t.Fatal(err)
			}
			if s.Counts.Form != c.form || listed(s) != c.want {
				t.Errorf("%s:\n%s want %s:\n%s", s.Counts.Form, listed(s), c.form, c.want)
			}
			if c.columns != "" && c.form == "pairs" { // without their names the columns say something else, or nothing
				c.o.Columns, c.o.Rater = nil, ""
				if plain, err := ReadStream(strings.NewReader(c.content), "file", c.o); err == nil && listed(plain) == c.want {
					t.Error("the names change nothing")
				}
			}
		})
	}
	for _, c := range []struct {
		name, content, columns string
		o                      Options
		words                  []string
	}{
		{"no such column", "Left,Right,Who\nx,y,x\n", "item_a=Left,item_b=Right,winner=Whom", Options{}, []string{"file: ", `there is no column "Whom"`, "the columns are Left, Right, Who", "winner (winner, result, outcome", "winner=NAME"}},
		{"no winner", "Eins,Zwei,Wer\nx,y,x\n", "item_a=Eins,item_b=Zwei", Options{}, []string{"file: ", "winner is missing", "the columns are Eins, Zwei, Wer", "winner (winner, result, outcome", "winner=NAME"}},
		{"no sides", "Eins,Zwei,Wer\nx,y,x\n", "winner=Wer", Options{}, []string{"item_a and item_b are missing", "item_a (modela, a, left", "item_a=NAME,item_b=NAME"}},
		{"no loser", "Wer,Wen\nx,y\n", "winner=Wer,draw=Wen", Options{}, []string{"loser is missing", "loser (loser, lost)"}},
		{"one score", "h,a,hs,as\nx,y,1,2\n", "home=h,away=a,home_score=hs", Options{}, []string{"away_score is missing"}},
		{"no key", `{"p":"x","q":"y","w":"q"}`, "item_a=p,item_b=q", Options{}, []string{"winner is missing", "the columns are p, q, w"}},
		{"no such key", `{"p":"x","q":"y","w":"q"}`, "tiers=t", Options{}, []string{`there is no column "t"`, "the columns are p, q, w"}},
		{"two roles", "p,q,w\nx,y,x\n", "item_a=p,item_b=p,winner=w", Options{}, []string{`column "p" is given for two roles`}},
		{"votes and ratings", "p,q,w\nx,y,x\n", "item_a=p,user=q", Options{}, []string{"item_a is a column of votes and user one of ratings"}},
		{"no role", "p,q,w\nx,y,x\n", "first=p", Options{}, []string{`"first" is not a role`, "item_a", "rating"}},
		{"weight twice", "a,b,winner,n,m\nx,y,x,1,2\n", "weight=n", Options{Weight: "m"}, []string{"weight is given twice"}},
		{"preflib", fruit, "weight=n", Options{}, []string{"form preflib has none"}},
		{"ratings with a weight", "Who,What,Stars,weight\nann,x,5,1\n", "user=Who,item=What,rating=Stars", Options{}, []string{`ratings with a column "weight"`}},
		{"nothing said", "Eins,Zwei,Wer\nx,y,x\n", "", Options{}, []string{"file:2: ", `"x" in column "Eins" is not a rank`, "as in item_a=Left,item_b=Right,winner=Who"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.columns != "" {
				c.o.Columns = roles(c.columns)
			}
			err := refused(t, c.content, c.o, c.words)
			if named := c.name != "no role" && c.name != "ratings with a weight"; named != errors.Is(err, codec.ErrColumns) {
				t.Errorf("is not about columns: %v", err)
			}
		})
	}
}
