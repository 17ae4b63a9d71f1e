// Package demo is the demonstration world: foods that everybody knows, and synthetic people who sort them into tiers.
//
// Nothing in it was measured on anybody. The foods, their worths and the tastes that set people apart are written
// down in this package; the people are drawn from the Latent Ordered Set Model with these parameters, from a seed. So
// the world shows what a trained model does, and since the truth is known, how much of it training finds again.
// Whatever shows it carries [Title].
package demo
