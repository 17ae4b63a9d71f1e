// Package calibrate judges odds: whether what is given probability p happens about
// p of the time, and how much the odds tell.
//
// A person's known ratings are their tiers. A held-out rating of theirs stands in
// one of the 2T+1 slots around them: in the tier of its value, or in the gap
// between the tiers whose values lie around it. A [Placer] gives odds to all slots;
// [Judge] holds them against what happened: reliability in bins of equal mass, the
// expected calibration error, and the log loss. See docs/maths.md#calibration.
package calibrate
