package titles

// FindAsWritten is Find without its last resort.
func (x *Index) FindAsWritten(q Query) Match { return x.find(q) }
