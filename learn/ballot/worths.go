package ballot

// OfWorths is the covariance of the worths of all items, which sum to zero, where c is that of the parameters.
func (d *Data) OfWorths(c []float64) []float64 {
	n, g, p := d.Items, d.Global, len(d.Item.Names)
	out := make([]float64, n*n)
	if p == 0 {
		for i := range n {
			copy(out[i*n:(i+1)*n], c[i*g:i*g+n])
		}
		return out
	}
	x := func(i, j int) float64 { return d.Item.Values[i*p+j] }
	rows := make([]float64, n*g) // the rows of the worths
	for i := range n {
		copy(rows[i*g:(i+1)*g], c[i*g:(i+1)*g])
		for j := range p {
			for k := range g {
				rows[i*g+k] += x(i, j) * c[(d.Beta+j)*g+k]
			}
		}
	}
	row, column := make([]float64, n), make([]float64, n)
	var all float64
	for i := range n {
		for k := range n {
			v := rows[i*g+k]
			for j := range p {
				v += x(k, j) * rows[i*g+d.Beta+j]
			}
			out[i*n+k] = v
			row[i] += v / float64(n)
			column[k] += v / float64(n)
			all += v / float64(n*n)
		}
	}
	for i := range n { // less the mean
		for k := range n {
			out[i*n+k] += all - row[i] - column[k]
		}
	}
	return out
}
