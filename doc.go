// Package fubini holds no code. It is the front page of the module: what is where, and in which order to read it.
//
// The project computes with rankings that have ties: ordered set partitions, also called weak orders or tier lists.
// Their number is the Fubini number, hence the name. The model is the Ordered Set Model of Tran, Phung and Venkatesh,
// "Learning From Ordered Sets and Applications in Collaborative Ranking", here called the paper.
// Every formula is derived in docs/maths.md, and the code cites it by anchor.
//
// # Reading order
//
// The truth comes before the estimate. Someone with the paper open can read the core in this order in one afternoon:
//
//   - core/partition: what a state is, and the moves between states;
//   - infer/exact: every answer for a small number of items, by listing and by a table over subsets;
//   - model/osm: the model, its log weight, and how it changes when a partition changes;
//   - infer/mcmc: samplers for more items than can be listed;
//   - infer/stattest: how the samplers are proved against the exact answers;
//   - learn/train: fitting the model to observed partitions;
//   - cmd/fubini: the program.
//
// # Package map
//
// Imports point strictly down this list, from the last entry to the first; arch_test.go checks it.
//
//   - core/logprob: arithmetic on log probabilities
//   - core/cholesky: symmetric systems of equations
//   - core/parallel: many pieces of work on several goroutines
//   - core/setting: settings by name, over the fields of an options struct
//   - core/vec: the inner loops over numbers, plain and in assembly, to the same bits
//   - core/rng: named random streams from one seed, and the dice that samplers roll
//   - core/partition: ordered set partitions: build, check, split, merge, lift, insert, list, count, draw
//   - infer/exact: normaliser, marginals, moments and draws for small N, without approximation
//   - infer/mcmc: split-and-merge Metropolis-Hastings, reinsertion Gibbs, diagnostics
//   - data/ratings: who rated what: compact sets, levels, the entropy filter, splits
//   - data/modelfile: the container of trained models, safetensors
//   - data/format: readers and writers of ratings, one file a format
//   - infer/ais: annealed importance sampling of normalisers, forward and back
//   - infer/stattest: transition matrices, chi-square and z-scores for tests of samplers
//   - model/osm: the Ordered Set Model: potentials, features, worths, gains, statistics, gradient
//   - model/latent: hidden units on an Ordered Set Model, binary and Gaussian
//   - model/rival: the models that the Ordered Set Model is compared with
//   - judge/metric: NDCG, ERR and others on plain slices; tied predictions averaged exactly
//   - judge/evaluate: any model over any split: means, intervals, paired comparison
//   - judge/calibrate: whether odds hold: reliability tables, log loss
//   - use/rank: a person's tier list folded in, and an order of items for them
//   - use/maps: neighbours, clusters and flat maps of items and people
//   - learn/train: stochastic approximation with short persistent chains
//   - learn/zoo: every model by its name
//   - learn/distributed: training on users that are divided into parts
//   - learn/tune: settings chosen by held-back training ratings
//   - paper: the tables and figures, in cells that are never run twice
//   - app/demo: the demonstration world: foods, planted tastes, synthetic people
//   - app/store: what the server keeps: lists, keys, jobs, audit; SQLite or PostgreSQL
//   - app/web: the page: its source in TypeScript, and the build that the program carries
//   - app/load: a client that offers a server a fixed load, for tests and tools/bench
//   - app/otlp: spans on their way to an OpenTelemetry collector
//   - app/exit: how the programs end: exit codes, and the line that says why
//   - app/measure: the made-up catalogue and crowd that speed is measured on
//   - app/servertest: a served program and its client, for tests
//   - app/recommend: a model under rules, and answers for one person or a batch, in several forms
//   - app/server: the HTTP API, its gates and limits
//   - cmd/fubini/terminal: progress, and text that cannot steer a terminal
//   - cmd/fubini/cli: the frame of all commands: global flags, values, files, results, help, errors
//   - cmd/fubini/input: ratings and models that commands read
//   - cmd/fubini/fetch: public sets of ratings, downloaded from their publishers
//   - cmd/fubini/data: commands that look at, convert and divide ratings
//   - cmd/fubini/draw: commands that draw tier lists from a model and weigh them
//   - cmd/fubini/serve: commands around the server: serve, demo, db, key
//   - cmd/fubini/models: commands that make and judge models: train, tune, evaluate, reproduce, model
//   - cmd/fubini: the list of commands; this folder has the only code that opens paths
//
// Neither infer/exact nor infer/mcmc imports the other, so that the one can be a witness for the other.
package fubini
