package lookup

import (
	"fubini/data/format"
	"fubini/data/titles"
)

// mostRenamed bounds the memory for titles that were looked up.
const mostRenamed = 1 << 20

// Users returns a reader of users with the ids of the model in the place of titles, and a report of the titles that were guessed and
// of those that several items fit. What is not found stays as it is.
func (f *Finder) Users(next func(*format.User) error) (renamed func(*format.User) error, report *Report) {
	ids := map[string][]byte{} // of titles; nil for none
	report = &Report{}
	return func(user *format.User) error {
		if err := next(user); err != nil {
			return err
		}
		for k, item := range user.Items {
			if _, known := f.saved.Find(string(item)); known {
				continue
			}
			id, seen := ids[string(item)]
			if !seen {
				m := f.Find(string(item))
				if m.How.Found() {
					id = []byte(f.saved.ItemIDs[m.Item])
				}
				if len(ids) < mostRenamed {
					ids[string(item)] = id
					if m.How == titles.Guess || m.How == titles.Ambiguous {
						report.Add(Named{Text: string(item)}, Match{Match: m})
					}
				}
			}
			if id != nil {
				user.Items[k] = id
			}
		}
		return nil
	}, report
}
