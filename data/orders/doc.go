// Package orders reads and writes orders of items with ties: PrefLib files and tier lists.
package orders
