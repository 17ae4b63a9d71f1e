// Package personal reads what people export from their accounts elsewhere.
package personal
