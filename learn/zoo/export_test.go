package zoo

import "slices"

// Unregister takes a model back that a test registered.
func Unregister(name string) {
	registry.Lock()
	defer registry.Unlock()
	registry.added = slices.DeleteFunc(registry.added, func(e entry) bool { return e.name == name })
}
