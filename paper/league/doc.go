// Package league compares models on some data: by rankings ([League]), step by step from the paper's model to
// ours ([Ablation]), by the probability of whole tier lists ([Likelihood]), and by their odds ([Calibration]).
package league
