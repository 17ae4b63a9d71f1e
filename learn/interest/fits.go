package interest

// Fits returns an error for settings or a number of items that cannot be fitted, before any work is done.
func Fits(items int, o Options) error { return o.check(items) }
