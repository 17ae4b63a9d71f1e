// Package chart draws curves.
package chart
