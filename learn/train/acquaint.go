package train

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
)

// Where no machine has all lists, company is found pass by pass, with Share and Meet over
// the lists of each: Next says what items say in the next pass, and after the last Lead
// keeps what tells most. Each pass is a round of the power iteration in FindCompany.

// Next makes what items say of lists from the numbers that items have; times is in how
// many lists each is. Vectors are orthonormal, and so scaled that items say no more than a
// mean square of one over places.
func (c *Company) Next(times []float64) {
	root, places := rootsOf(times), placesIn(times)
	vectors := make([]float64, len(c.Of))
	for i, v := range root {
		if v > 0 {
			vec.AddTimes(c.row(vectors, i), c.row(c.Of, i), 1/v)
		}
	}
	orthonormal(vectors, c.Numbers)
	c.Loads, c.Of = make([]float64, len(vectors)), nil
	c.load(vectors, root, times, places)
	vec.Scale(c.Loads, math.Sqrt(places))
}

// Products are those of the numbers of lists, each with each, as a mean over all places:
// what some of the lists add to it, by their sums. For a list of length n with numbers f,
// n f f' is the sum of g f' over what its items say.
func (c *Company) Products(sums, times []float64) []float64 {
	n := c.Numbers
	products := make([]float64, n*n)
	for i := range times {
		for k, v := range c.row(c.Loads, i) {
			vec.AddTimes(products[k*n:(k+1)*n], c.row(sums, i), v)
		}
	}
	vec.Scale(products, 1/placesIn(times))
	return products
}

// Lead turns numbers so that those of lists are uncorrelated, keeps the few whose products
// are largest, and stretches them to a mean square of one. Directions that lists tell
// nothing of become zero. It takes what Next and Products gave, of all lists; what items
// say is forgotten, as nobody will ask again.
func (c *Company) Lead(numbers int, products []float64) error {
	wide := c.Numbers
	all := mat.NewSymDense(wide, nil)
	for k := range wide {
		for j := range k + 1 {
			all.SetSym(k, j, (products[k*wide+j]+products[j*wide+k])/2)
		}
	}
	var values mat.EigenSym
	if !values.Factorize(all, true) {
		return fmt.Errorf("train: the products of %d numbers of lists have no eigenvectors", wide)
	}
	var vectors mat.Dense
	values.VectorsTo(&vectors)
	// Of vectors of length one, which say nothing at all of lists if this is left.
	const least = 1e-9
	turn := make([]float64, wide*numbers)
	for d := range min(wide, numbers) {
		at := wide - 1 - d // the largest comes last
		value := values.Values(nil)[at]
		if !(value > least) {
			break
		}
		for k := range wide {
			turn[k*numbers+d] = vectors.At(k, at) / math.Sqrt(value)
		}
	}
	of := make([]float64, len(c.Of)/wide*numbers)
	for i := range len(c.Of) / wide {
		vec.AddRows(of[i*numbers:(i+1)*numbers], turn, c.row(c.Of, i))
	}
	c.Numbers, c.Loads, c.Of = numbers, nil, of
	return nil
}
