// Package fetch downloads public sets of ratings from their publishers: fubini data fetch.
package fetch
