package ratings

// owners has the user of each rating of a [Builder]. As long as the ratings of each user come together, it keeps where they begin, and
// otherwise a number for each rating.
type owners struct {
	n         int   // ratings
	first     []int // of each user, in the order in which they came
	scattered bool
	user      column[uint32] // of each rating, if scattered
}

// add adds a number of ratings of a user. New users are numbered as they come.
func (o *owners) add(user uint32, ratings int) {
	if ratings == 0 {
		return
	}
	if next := uint32(len(o.first)); !o.scattered && user == next {
		o.first = append(o.first, o.n)
	} else if !o.scattered && user+1 != next {
		o.scatter(o.n)
	}
	o.n += ratings
	for o.scattered && ratings > 0 {
		room := o.user.room(ratings)
		for k := range room {
			room[k] = user
		}
		ratings -= len(room)
	}
}

// addEach adds a rating of each of some users, who may come many times in a row.
func (o *owners) addEach(users []uint32) {
	for len(users) > 0 && !o.scattered {
		run := 1
		for run < len(users) && users[run] == users[0] {
			run++
		}
		o.add(users[0], run)
		users = users[run:]
	}
	o.n += len(users)
	for len(users) > 0 {
		users = users[copy(o.user.room(len(users)), users):]
	}
}

// scatter writes the user of each of the first n ratings.
func (o *owners) scatter(n int) {
	o.scattered = true
	for u := range o.first {
		to := n
		if u+1 < len(o.first) {
			to = o.first[u+1]
		}
		for range to - o.first[u] {
			o.user.add(uint32(u))
		}
	}
	o.first = nil
}

// gather sorts all columns by user, as the ratings came within each. Then the ratings of user u begin at first[u], and those of the last
// user end at first[u+1].
func (b *Builder) gather() {
	o := &b.owners
	if !o.scattered {
		o.first = append(o.first, o.n)
		return
	}
	o.first = make([]int, b.users.Len()+1)
	for _, chunk := range o.user.chunks {
		for _, u := range chunk {
			o.first[u+1]++
		}
	}
	for u := range b.users.Len() {
		o.first[u+1] += o.first[u]
	}
	// Column by column, so that only one at a time exists twice.
	b.when = b.when.moved(&o.user, o.first)
	b.item = b.item.moved(&o.user, o.first)
	b.value.numbers = b.value.numbers.moved(&o.user, o.first)
}

// record is the number, from 1, of a user's rating at a place among their own, as they came.
func (o *owners) record(user uint32, place int) int {
	if !o.scattered {
		return o.first[user] + place + 1
	}
	number := 0
	for _, chunk := range o.user.chunks {
		for _, u := range chunk {
			number++
			if u != user {
				continue
			}
			if place == 0 {
				return number
			}
			place--
		}
	}
	return 0
}
