package cli

import "fubini/app/build"

// BuildVersion is the build of this program.
func BuildVersion() build.Build { return build.Read() }
