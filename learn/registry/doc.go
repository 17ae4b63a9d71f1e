// Package registry has every model by the name that commands use: the baselines, the models of the Ordered Set family,
// and those that [Register] adds. [Configure] makes recipes from names and settings.
package registry
