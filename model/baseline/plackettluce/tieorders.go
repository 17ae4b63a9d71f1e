package plackettluce

import (
	"math"

	"fubini/core/logprob"
)

// tieOrders computes the probability that Plackett-Luce takes the items of a tie, in whatever order, before all items
// below it. Give every item an exponential waiting time with its worth as rate; the order of arrival is Plackett-Luce.
// With W the worth of all items below, the first of them comes at T ~ Exp(W), so with a_i = w_i/W and u = W T
//
//	P = integral over u > 0 of e^-u prod_i (1 - e^(-a_i u)),
//
// which is the integral over z = e^-u in [0, 1] of prod_i (1 - z^a_i). This is the form of Ma et al. (AISTATS 2021). On
// the scale x = log u the integrand is log-concave and entire and falls off at least like e^x on the left and like
// e^-e^x on the right, where equally spaced points converge exponentially.
type tieOrders struct {
	logRate, rate []float64 // log a_i, and a_i where that is not tiny
	part, total   []float64 // derivative of the log integrand by log a_i: at one point, weighted over all
}

const (
	// roughError is the relative error that equally spaced points may have at three times the spacing used. The error
	// falls at least like e^(-c/spacing), so to the third power: to 1e-12.
	roughError = 1e-4
	// negligible is the share of the highest value at which the sum ends.
	negligible = 1e-15
	// extremeRate bounds |log a|: beyond, the probability of a tie is 1 or 0 to the precision of float64.
	extremeRate = 300
)

// logProb returns the log probability for the items of a tie, and adds the derivatives by their scores to slope; the
// one by logRest, the log of W, is returned. Without items below, the probability is 1.
func (q *tieOrders) logProb(scores []float64, tie []int, logRest float64, slope []float64) (logP, restSlope float64) {
	switch {
	case math.IsInf(logRest, -1):
		return 0, 0
	case len(tie) == 1: // w/(w+W)
		s := scores[tie[0]] - logRest
		rest := logprob.Logistic(-s)
		slope[tie[0]] += rest
		return -logprob.Log1pExp(-s), -rest
	case len(tie) == 2:
		return pairFirst(scores, tie[0], tie[1], logRest, slope)
	}
	q.logRate, q.rate = q.logRate[:0], q.rate[:0]
	q.part = append(q.part[:0], make([]float64, len(tie))...)
	q.total = append(q.total[:0], make([]float64, len(tie))...)
	for _, i := range tie {
		s := scores[i] - logRest
		q.logRate = append(q.logRate, s)
		q.rate = append(q.rate, math.Exp(math.Max(-extremeRate, math.Min(extremeRate, s))))
	}
	logSum, weight := q.integrate()
	for k, i := range tie {
		by := q.total[k] / weight
		slope[i] += by
		restSlope -= by
	}
	return logSum, restSlope
}

// pairFirst is logProb for two items, whose two orders sum to ab (2 + a + b) / ((1 + a + b) (1 + a) (1 + b)).
func pairFirst(scores []float64, i, j int, logRest float64, slope []float64) (logP, restSlope float64) {
	logA, logB := math.Min(extremeRate, scores[i]-logRest), math.Min(extremeRate, scores[j]-logRest)
	a, b := math.Exp(logA), math.Exp(logB)
	both := 1/(2+a+b) - 1/(1+a+b)
	byA, byB := 1/(1+a)+a*both, 1/(1+b)+b*both
	slope[i] += byA
	slope[j] += byB
	return logA + logB + math.Log((2+a+b)/(1+a+b)) - math.Log1p(a) - math.Log1p(b), -byA - byB
}

// integrate returns the log of the integral, and the sum of the weights under which total was added up.
func (q *tieOrders) integrate() (logSum, weight float64) {
	mode, curvature := q.mode()
	top := q.logIntegrand(mode)
	for step := 0.35 / math.Sqrt(curvature); ; step /= 2 {
		clear(q.total)
		// Every third point makes a sum of its own: the three differ by the error at that spacing.
		var thirds [3]float64
		add := func(n int) float64 {
			w := math.Exp(q.logIntegrand(mode+float64(n)*step) - top)
			thirds[(n%3+3)%3] += w
			for k, part := range q.part {
				q.total[k] += w * part
			}
			return w
		}
		add(0)
		for n := -1; add(n) > negligible; n-- {
		}
		for n := 1; add(n) > negligible; n++ {
		}
		weight = thirds[0] + thirds[1] + thirds[2]
		differ := math.Abs(thirds[0]-thirds[1]) + math.Abs(thirds[1]-thirds[2])
		if !(differ > roughError*weight) {
			return top + math.Log(weight*step), weight
		}
	}
}

// logIntegrand is x - e^x + sum of log(1 - e^-v), v = a e^x; it leaves the derivatives v/(e^v - 1) in part.
func (q *tieOrders) logIntegrand(x float64) float64 {
	u := math.Exp(x)
	log := x - u
	product := 1.0
	for k, a := range q.rate {
		if q.logRate[k] < -extremeRate { // 1 - e^-v is v
			log += q.logRate[k] + x
			q.part[k] = 1
			continue
		}
		v := a * u
		arrived := -math.Expm1(-v)
		if v < 1e-17 {
			q.part[k] = 1
		} else {
			q.part[k] = v * (1 - arrived) / arrived
		}
		if product *= arrived; product < 1e-150 { // a logarithm now and then, not for each
			log += math.Log(product)
			product = 1
		}
	}
	return log + math.Log(product)
}

// mode is about where the integrand is highest, and minus the second derivative of its log there. With h = v/(e^v - 1)
// the derivatives are 1 - e^x + sum h, so that e^x lies between 1 and 1 + |tie|, and -e^x - sum h (h + v - 1).
func (q *tieOrders) mode() (x, curvature float64) {
	low, high := 0.0, math.Log1p(float64(len(q.rate)))
	x = high
	for range 50 {
		u := math.Exp(x)
		q.logIntegrand(x)
		slope := 1 - u
		curvature = u
		for k, h := range q.part {
			slope += h
			if v := q.rate[k] * u; h > 0 {
				curvature += h * math.Max(0, h+v-1)
			}
		}
		if slope > 0 {
			low = x
		} else {
			high = x
		}
		if math.Abs(slope) <= 0.1*math.Sqrt(curvature) { // a tenth of a standard deviation
			break
		}
		if x += slope / curvature; !(x > low && x < high) {
			x = (low + high) / 2
		}
	}
	return x, curvature
}
