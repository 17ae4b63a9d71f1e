// Package zoo is the registry of models by the names that commands use: their settings, training, files and odds. The
// baselines and ours are entries of it, and [Register] adds others.
package zoo
