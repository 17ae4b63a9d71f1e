"""A split of ratings as `fubini data split` writes it, and the paper's measures on it.

Equal scores earn the mean over all their orders, as in judge/metric, so that a model gains or loses nothing by ties.
"""

import numpy

STARS = 5  # levels are 1 to 5


def read(path):
    with open(path) as lines:
        rows = [line.rstrip("\n").split("\t")[:3] for line in lines if line.strip()]
    return [r[0] for r in rows], [r[1] for r in rows], numpy.array([float(r[2]) for r in rows])


class Split:
    """user, item and rating are training; those with test_ in front are to be ranked. Users and items are numbers."""

    def __init__(self, train, test):
        users, items, self.rating = read(train)
        test_users, test_items, self.test_rating = read(test)
        self.users = list(dict.fromkeys(users + test_users))
        self.items = list(dict.fromkeys(items + test_items))
        user, item = ({name: n for n, name in enumerate(names)} for names in (self.users, self.items))
        self.user, self.test_user = (numpy.array([user[u] for u in those]) for those in (users, test_users))
        self.item, self.test_item = (numpy.array([item[i] for i in those]) for those in (items, test_items))

    def held_back(self, share, seed):
        """A split of the training ratings: so large a share of each user's is for testing."""
        random = numpy.random.default_rng(seed)
        mixed = random.permutation(len(self.user))
        mixed = mixed[numpy.argsort(self.user[mixed], kind="stable")]
        place = numpy.arange(len(mixed)) - numpy.searchsorted(self.user[mixed], self.user[mixed])
        count = numpy.bincount(self.user)[self.user[mixed]]
        test = place < share * count
        inner = object.__new__(Split)
        inner.users, inner.items = self.users, self.items
        for name in "user", "item", "rating":
            setattr(inner, name, getattr(self, name)[mixed[~test]])
            setattr(inner, "test_" + name, getattr(self, name)[mixed[test]])
        return inner

    def write(self, train, test):
        for path, u, i, r in (train, self.user, self.item, self.rating), (test, self.test_user, self.test_item, self.test_rating):
            with open(path, "w") as out:
                out.writelines(f"{self.users[a]}\t{self.items[b]}\t{c:g}\n" for a, b, c in zip(u, i, r))

    def lists(self, score):
        """For each user the levels of the test items, best score first, as a list of ties."""
        assert numpy.isfinite(score).all()
        order = numpy.lexsort((-score, self.test_user))
        user, score, level = self.test_user[order], score[order], self.test_rating[order]
        fresh = numpy.r_[True, user[1:] != user[:-1]]
        tie = fresh | numpy.r_[True, score[1:] != score[:-1]]
        groups = numpy.split(level, numpy.flatnonzero(tie)[1:])
        one = []
        for first, group in zip(fresh[tie], groups):
            if first and one:
                yield one
                one = []
            one.append(group)
        yield one

    def quality(self, score):
        """Means over users of ERR and NDCG."""
        rows = [[err(ties)] + [ndcg(ties, top) for top in (1, 5, 10)] for ties in self.lists(score)]
        mean = numpy.mean(rows, axis=0)
        names = "err", "ndcg@1", "ndcg@5", "ndcg@10"
        return {name: round(float(value), 4) for name, value in zip(names, mean)} | {"users": len(rows)}

    def concordance(self, score):
        """The share of pairs of a user in the right order, over all users; half for a tie."""
        right = pairs = 0.0
        order = numpy.argsort(self.test_user, kind="stable")
        for at in numpy.split(order, numpy.flatnonzero(numpy.diff(self.test_user[order])) + 1):
            better = numpy.subtract.outer(self.test_rating[at], self.test_rating[at]) > 0
            ahead = numpy.sign(numpy.subtract.outer(score[at], score[at]))
            right += ((1 + ahead) / 2)[better].sum()
            pairs += better.sum()
        return right / pairs


def ndcg(ties, top):
    """Every place in a tie earns the tie's mean gain."""
    mean = numpy.concatenate([numpy.full(len(t), (2.0**t - 1).mean()) for t in ties])[:top]
    best = numpy.sort(2.0 ** numpy.concatenate(ties) - 1)[::-1][:top]
    discount = 1 / numpy.log2(numpy.arange(2, len(mean) + 2))
    return (mean * discount).sum() / (best * discount).sum()


def err(ties):
    """Over the orders of a tie, k of its items are passed with the mean of the products of k chances to go on:
    the k-th elementary symmetric polynomial of them, divided by the number of ways to choose k."""
    total, place, reach = 0.0, 0, 1.0
    for t in ties:
        passing = numpy.ones(1)  # of k = 0, 1, ... items
        for n, onward in enumerate(1 - (2.0 ** (t - 1) - 1) / 2 ** (STARS - 1), 1):
            # means of products of k of n: with the last one (k of n ways) or without
            k = numpy.arange(n + 1)
            passing = (k * numpy.r_[0, passing] * onward + (n - k) * numpy.r_[passing, 0]) / n
        total += reach * ((passing[:-1] - passing[1:]) / numpy.arange(place + 1, place + len(t) + 1)).sum()
        place += len(t)
        reach *= passing[-1]
    return total
