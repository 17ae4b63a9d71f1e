// Package fubini learns from rankings with ties: tier lists, star ratings, votes. It is the library behind the program of the
// same name: the commands and the server are written on it and on the packages below.
//
// # In a few lines
//
// Data are ratings or tier lists, from a file or from memory. A model is trained once. It then answers for anybody with tiers of their
// own, whether they were in the data or not:
//
//	data, err := fubini.ReadData("ratings.csv")  // user, item, rating; or tier lists; or picks
//	model, err := fubini.Train(ctx, data)        // latent-osm, with calibrated odds
//	err = model.Save("model.safetensors")        // fubini.Load reads it
//	person, err := model.Person([][]string{{"Alien"}, {"Titanic"}}) // best tier first; ids or titles
//	top, err := person.Top(10)                   // best first
//	odds, err := person.Odds("Heat")             // where would it stand?
//	why, err := person.Explain("Heat")           // which placements moved it
//
// Votes become a leaderboard, with standard errors, ranks and tiers:
//
//	votes, err := fubini.ReadVotes("votes.csv")  // duels, ballots, rankings, tier lists
//	board, err := fubini.Fit(ctx, votes)
//	best := board.Items[0]                       // best.ID, best.Worth, best.StdError, best.RankLow, best.RankHigh, best.Tier
//
// # Data
//
// [ReadData] and [ReadVotes] find out the form of a file from its content. What is in memory needs no file:
//
//	data, err := fubini.Ratings([]fubini.Rating{{User: "ann", Item: "Alien", Value: 5}, {User: "ann", Item: "Heat", Value: 3}})
//	data, err = fubini.TierLists(map[string][][]string{"ann": {{"Alien"}, {"Heat", "Titanic"}}})
//	votes, err := fubini.NewVotes([][][]string{{{"x"}, {"y"}}, {{"x", "y"}}}) // x beats y; a tie
//
// # A person
//
// [Model.Person] takes tiers, [Model.PersonWith] ratings, and [Model.ReadPerson] a file, such as the export of an account. None of them
// changes the model. Texts that are no item of the model are in person.Missed. A [Pick] has an ID, a Name, a Score, and Odds: of the
// tiers of the person, Odds.Tiers[t] is the probability that the item belongs into tier t, and Odds.Gaps[t] that it belongs between the
// tiers t-1 and t. Together they sum to 1. Rules narrow the choice:
//
//	top, err := person.Top(10, fubini.Without("Alien 3"), fubini.Support(50)) // of items with 50 ratings or more
//
// # Other models, and which is better
//
// [Names] lists the models. Options choose one and change its settings, and [Evaluate] compares some on held-out ratings:
//
//	model, err := fubini.Train(ctx, data, fubini.Named("pmf"), fubini.With("hidden", "20"), fubini.Seed(7))
//	results, err := fubini.Evaluate(ctx, data, []string{"item-mean", "pmf", "latent-osm"}, fubini.Given(10))
//	mean, low, high, err := results[0].Metric("ndcg@5")
//
// A model of your own is a [Recipe], which is fitted to data and becomes a [Scorer]. After
//
//	err := fubini.Register("mine", func() fubini.Recipe { return &recipe{} })
//
// its name can be trained, judged, saved and loaded like the others. The program examples/ownmodel has such a model in all commands, the server
// included.
//
// # The Ordered Set Model by itself
//
//	m := fubini.OSM([]float64{1, 0.5, 0, -1}, 0.3) // worths, and the log weight of a tie
//	logZ, err := m.LogZ()
//	draws, err := m.Sample(3, 1)                    // three tier lists, by seed 1
//
// The examples of this page run as tests; whole programs stand in the folder examples.
//
// # The model
//
// The project computes with rankings that have ties: ordered set partitions, also called weak orders or tier lists.
// Their number is the Fubini number, hence the name. The model is the Ordered Set Model of Tran, Phung and Venkatesh,
// "Learning From Ordered Sets and Applications in Collaborative Ranking", here called the paper.
// Its formulas are derived in docs/maths.md, which the code cites by anchor; those of the baselines stand in docs/baselines.md.
//
// # Reading order
//
// After the README and this page four files show the model, its sampler and a fit. (A state is an ordered partition of the
// items, core/partition: tiers, best first.)
//
//   - model/osm/worths.go: the model, the log weight of a partition and its change by a split or a merge (the paper's section 2.3);
//   - infer/mcmc/splitmerge.go: the Metropolis-Hastings sampler (section 2.4, Algorithm 1);
//   - infer/mcmc/proposal.go: its proposal probabilities, with the paper's error beside the correction;
//   - learn/likelihood/newton.go: maximum likelihood by Fisher scoring with exact expectations: what `fubini fit` runs. (A vote is
//     an ordered partition of a few items; votes on the same items are one group, and learn/ballot computes its expectations. A point is
//     the log likelihood at some parameters, with its gradient and information.)
//
// Eight more follow the command `fubini train`, from its flags to the loop that changes the parameters. What it maximises is the
// slot likelihood: the product over the items of a list of the probability of the item's place, given the order of the others.
//
//   - cmd/fubini/models/train.go: the command: flags in, ratings read, a model file out;
//   - model.go: the library's Train, which the command calls, and its options;
//   - learn/modelstore/train.go: ratings divided, the fit, calibration of the tier probabilities;
//   - learn/registry/latent.go: settings become options, and ratings tier lists;
//   - learn/slots/fit.go: the objective: one list's gradient, and the regressions in the prior mean;
//   - learn/ascent/run.go: what a run has at hand: the objective, the lists, one task for each list of a batch;
//   - learn/ascent/train.go: the loop over epochs and batches of lists: gradients by several workers, then one step of the parameters;
//   - learn/ascent/step.go: the prior and the step sizes.
//
// The gradient itself is that of model/latent/slotlikelihood.go: the slot likelihood of one list, for units of any kind, on the
// model of model/latent/model.go (the paper's section 3); the default units, Gaussian ones, take the faster pass of
// slotgaussian.go, which tests hold against it. model/latent/catalogue.go has the parameters of all items.
//
// Where to go from there: learn/chains/fit.go is the paper's way to fit the model, by persistent chains (section 2.6), and that of
// `fubini train --model osm`. infer/mcmc/reinsertion.go is the sampler that mixes best. infer/exact and infer/stattest have the
// exact answers for few items, and the tests of samplers against them.
//
// # Package map
//
// Imports point strictly down this list, from the last entry to the first; arch_test.go checks it.
//
//   - docs: the documents, for the server to show
//   - core/logprob: arithmetic on log probabilities
//   - core/parallel: many pieces of work on several goroutines
//   - core/setting: settings by name, over the fields of an options struct
//   - core/vec: the inner loops over numbers, plain and in assembly, to the same bits
//   - core/cholesky: symmetric systems of equations, and the inverse of a large matrix
//   - core/rng: named random streams from one seed, and the dice that samplers roll
//   - core/partition: ordered set partitions: build, check, split, merge, lift, insert, list, count, draw
//   - infer/exact: normaliser, marginals, moments and draws for small N, without approximation
//   - infer/mcmc: split-and-merge Metropolis-Hastings, reinsertion Gibbs, diagnostics
//   - data/ratings: who rated what: compact sets, levels, the entropy filter, splits
//   - data/grade: names of tiers that say how good a tier is: S, A+, tier 2
//   - data/kinds: what is known of items beside who picked them: groups, such as genres, and years
//   - data/titles: the items of a catalogue by their titles, however they are spelled
//   - data/modelfile: the container of trained models, safetensors
//   - data/numpy: files of arrays that NumPy reads
//   - data/marks: where fields and lines end in a text, 64 bytes at a time
//   - data/narrow: numbers copied to smaller ones
//   - data/lastpage: slices that end where memory ends, for tests of assembly
//   - data/rowsort: rows of items in ascending order, sorted by bytes or by their places among all items
//   - data/archive: gzip, zstd and zip, with limits
//   - data/text: lines, fields and numbers of text files
//   - data/survey: what a set of ratings holds, what is left out of it, and what looks wrong
//   - data/tierlist: tier lists of one person in JSON
//   - data/catalogue: files about items: names, years, groups, pictures, links, ids in other catalogues
//   - data/columns: columns of Parquet files, value by value or many rows at a time
//   - data/codec: the file formats of ratings, one or two files each: tables, JSON lines, TREC, tier lists, Parquet, NumPy, and those of other recommenders
//   - data/codec/preflib: PrefLib's files: orders with ties, each with its number of voters
//   - data/codec/codectest: sets of ratings drawn at random, written and read back, for tests of codecs
//   - data/format: finds out the format of a file; reads and writes ratings, whole or user by user
//   - data/personal: what people bring with them: exports of their accounts, tier lists and lists in plain text
//   - data/votes: votes, rankings and tier lists of any form, as ordered partitions with weights
//   - infer/ais: annealed importance sampling of normalisers
//   - infer/stattest: transition matrices, chi-square and z-scores for tests of samplers
//   - model: what any model is: settings, a fit to ratings, scores for a person
//   - model/osm: the Ordered Set Model: potentials, features, worths, gains, statistics, gradient
//   - model/latent: hidden units on an Ordered Set Model, binary and Gaussian
//   - model/latent/planted: small catalogues, lists and ratings with known parameters, for tests
//   - model/interest: what people pick: weights between items, factors of low rank, calibrated probabilities
//   - model/baseline/fitting: what fits of baselines share: runs, early stopping
//   - model/baseline/planted: a small world of ratings with known tastes, for tests of baselines
//   - model/baseline/counting: item means
//   - model/baseline/factor: matrix factorisation under any loss: pmf, biased-mf, listrank-mf
//   - model/baseline/bayes: Bayesian matrix factorisation by Gibbs sampling
//   - model/baseline/cofirank: maximum margin matrix factorisation for ranking
//   - model/baseline/plpa: probabilistic latent preference analysis
//   - model/baseline/picks: models of what people pick: popularity, neighbours, implicit least squares, BPR
//   - model/baseline/plackettluce: models of rankings with ties: Plackett-Luce, PMOP, Davidson-Luce
//   - model/baseline: all baselines by name
//   - judge/metric: NDCG, ERR and others on plain slices; tied predictions averaged exactly
//   - judge/evaluate: any model over any split: means, intervals, paired comparison
//   - use/rank: a person's tier list folded in, and an order of items for them
//   - use/odds: odds of every place among a person's tiers: calibration, guesses of ratings, reliability, sets
//   - use/deal: the item to ask a new person about: known to them, and telling of their taste
//   - use/board: leaderboards of fitted worths: ranks and tiers with intervals, quasi-variances
//   - use/maps: neighbours, clusters and flat maps of items and people
//   - learn/ballot: the model of one vote, and votes put together by their distribution
//   - learn/ballot/drawn: designs with every kind of parameter and votes drawn at random, for tests of fits
//   - learn/reliability: the likelihood of votes with the reliabilities of raters integrated out
//   - learn/likelihood: maximum likelihood of the visible model on votes, with errors, and of hidden units of raters
//   - learn/saturated: shares of whole votes, shrunk towards the distribution of a fitted model
//   - learn/leaderboard: a fit to votes as a board: worths with intervals, ranks and tiers, and how well it fits
//   - learn/leaderboard/boardtest: boards fitted to votes that tests made up
//   - learn/cooccurrence: features of items by the lists they are in
//   - learn/interest: the model of picks, in closed form
//   - learn/ascent: stochastic gradient ascent over lists, with one prior for everything
//   - learn/chains: the latent model by persistent Markov chains, the paper's way
//   - learn/slots: the latent model by the slot likelihood, as the product trains it
//   - learn/registry: every model by its name, and its settings
//   - learn/modelstore: models trained for use: files, checkpoints, extension, odds
//   - learn/distributed: training on users that are divided into parts
//   - learn/tune: settings chosen by held-back training ratings
//   - paper/cells: pieces of work that are kept and never run twice: one model on one split
//   - paper/cells/planted: a store in memory and a small world of ratings, for tests
//   - paper/chart: pictures of curves, as SVG and PNG
//   - paper/league: leagues of models, the ablation, calibration
//   - paper: the paper's tables and figures
//   - paper/report: the page about them, with a verdict on every claim
//   - app/demo: the demonstration world: foods, planted tastes, synthetic people
//   - app/picture: forest plots, heat maps and maps of points, as SVG and PNG
//   - app/static: files that do not change while the server runs: compressed once, revalidated by entity tags
//   - app/thumb: the pictures of a catalogue, no larger than they are shown
//   - app/preview: the link to a saved list, with what other sites show of it
//   - app/store: what the server keeps: lists, keys, jobs, audit; SQLite or PostgreSQL
//   - app/web: the page: its source in TypeScript, and the build that the program carries
//   - app/load: a client that offers a server a fixed load, for tests and tools/bench
//   - app/otlp: spans on their way to an OpenTelemetry collector
//   - app/manual/mathml: the TeX of the documents as MathML
//   - app/build: the version and the commit that the program was built from
//   - app/exit: how the programs end: exit codes, and the line that says why
//   - app/fill: what functions return, put into texts and pages
//   - app/lookup: the items of a model by ids or titles, and an account of what was found
//   - app/measure: a made-up model and ratings, for measurements of speed
//   - app/servertest: the log of a server and its client, for tests
//   - app/recommend: the one recommender: a model under rules, answers for a person or many, in several forms
//   - fubini: the library: everything above in one front door
//   - app/manual: the documents as a site: contents, search, formulas
//   - app/apidoc: the page about the API, made of its OpenAPI document
//   - app/traffic: how much a server is asked, by its metrics
//   - app/gate: what a request passes before a handler sees it: keys, rates, places, bounds, problem documents
//   - app/jobs: work that outlasts its request: queue, states, heartbeats
//   - app/etag: versions of what is served, and of what is written, in HTTP
//   - app/group: the lists of several people together: one list for all, and what would please all
//   - app/server: the HTTP API: routes, the model that is served, the page
//   - cmd/fubini/terminal: progress, and text that cannot steer a terminal
//   - cmd/fubini/cli: the frame of all commands: global flags, values, files, results, help, errors
//   - cmd/fubini/input: ratings and models that commands read
//   - cmd/fubini/fetch: public sets of ratings, downloaded from their publishers
//   - cmd/fubini/data: commands that look at, convert and divide ratings
//   - cmd/fubini/draw: commands that draw tier lists from a model and weigh them
//   - cmd/fubini/ranking: the command that ranks items from votes: fit
//   - cmd/fubini/serve: commands around the server: serve, demo, db, key
//   - cmd/fubini/models: commands that make and judge models: train, tune, evaluate, reproduce, model
//   - cmd/fubini/people: commands about people and items of a model: recommend, explain, similar, embed
//   - cmd/fubini/program: the list of all commands, for programs that register models of their own too
//   - cmd/fubini: the program; beside the library, this folder has the only code that opens paths
//   - examples/top10: the ten best items for a person, in five lines
//   - examples/handler: recommendations from an HTTP handler of one's own
//   - examples/ownmodel: the whole program with a model of one's own
//   - examples/osm: the Ordered Set Model by hand
//   - examples/foldin: train, save, load, fold in, explain
//   - examples/judge: a model of one's own beside ours, on held-out ratings
//
// Neither infer/exact nor infer/mcmc imports the other, so that the one can be a witness for the other.
package fubini
