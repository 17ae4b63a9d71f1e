# votes.R DIR: writes votes of R's own data sets into DIR as CSV, and what R's packages make of them (estimates.csv:
# file, item, worth, std_err, and quasi standard errors where qvcalc has them). votes.py reads both.
# Debian: r-cran-bradleyterry2 r-cran-psychotools r-cran-qvcalc.
suppressMessages({ library(BradleyTerry2); library(psychotools); library(qvcalc) })
dir <- commandArgs(TRUE)[1]
estimates <- data.frame()
keep <- function(file, item, worth, se = NA, quasi = NA)
  estimates <<- rbind(estimates, data.frame(file, item, worth, std_err = se, quasi))
pairs <- function(file, a, b, wins, losses, ties = 0) {
  rows <- rbind(data.frame(model_a = a, model_b = b, winner = "model_a", weight = wins),
                data.frame(model_a = a, model_b = b, winner = "model_b", weight = losses),
                data.frame(model_a = a, model_b = b, winner = "tie", weight = ties))
  write.csv(rows[rows$weight > 0, ], file.path(dir, file), row.names = FALSE)
}
# Estimates relative to a reference, with those of contrasts to the mean: the worths of a board sum to zero.
centred <- function(file, coefficients, covariance) {
  n <- length(coefficients)
  middle <- diag(n) - 1 / n
  v <- middle %*% covariance %*% middle
  keep(file, names(coefficients), as.vector(middle %*% coefficients), sqrt(diag(v)), NA)
}
full <- function(model, reference, n) { # coefficients and covariance with the reference at zero
  b <- c(0, coef(model)[1:(n - 1)]); v <- matrix(0, n, n); v[-1, -1] <- vcov(model)[1:(n - 1), 1:(n - 1)]
  list(b = b, v = v)
}

data(citations)
cit <- countsToBinomial(citations)
pairs("citations.csv", cit$player1, cit$player2, cit$win1, cit$win2)
m <- BTm(cbind(win1, win2), player1, player2, data = cit)
f <- full(m, NULL, 4); names(f$b) <- levels(cit$player1)
centred("citations.csv", f$b, f$v)
q <- qvcalc(BTabilities(m))$qvframe
estimates$quasi[match(rownames(q), estimates$item)] <- q$quasiSE

data(baseball)
pairs("baseball.csv", baseball$home.team, baseball$away.team, baseball$home.wins, baseball$away.wins)
b <- baseball
b$home.team <- data.frame(team = baseball$home.team, at.home = 1)
b$away.team <- data.frame(team = baseball$away.team, at.home = 0)
m <- BTm(cbind(home.wins, away.wins), home.team, away.team, formula = ~ team + at.home, id = "team", data = b)
f <- full(m, NULL, 7); names(f$b) <- levels(baseball$home.team)
centred("baseball.csv", f$b, f$v)
keep("baseball.csv", "home", coef(m)["at.home"], sqrt(vcov(m)["at.home", "at.home"]))

# psychotools: the rows of a paircomp object are people, its columns pairs.
compared <- function(file, comparisons, ...) {
  votes <- as.matrix(comparisons)
  labels <- labels(comparisons)
  at <- which(upper.tri(diag(length(labels))), arr.ind = TRUE)
  pairs(file, labels[at[, 1]], labels[at[, 2]], colSums(votes == 1, na.rm = TRUE), colSums(votes == -1, na.rm = TRUE), colSums(votes == 0, na.rm = TRUE))
  m <- btmodel(comparisons, ...)
  worths <- log(worth(m))
  keep(file, labels, as.vector(worths - mean(worths)))
}
data("GermanParties2009"); compared("parties.csv", GermanParties2009$preference)
data("SoundQuality"); compared("sound.csv", SoundQuality$preference)

# Davidson's model, by a season of BradleyTerry2's football: a match is a person who compares one pair.
data(football)
season <- football[football$season == "2008-9", ]
teams <- sort(unique(c(as.character(season$home), as.character(season$away))))
at <- which(upper.tri(diag(length(teams))), arr.ind = TRUE)
votes <- matrix(NA_integer_, nrow(season), nrow(at))
for (k in seq_len(nrow(season))) {
  i <- match(season$home[k], teams); j <- match(season$away[k], teams)
  sign <- if (i < j) 1 else -1
  column <- which(at[, 1] == min(i, j) & at[, 2] == max(i, j))
  votes[k, column] <- as.integer(sign * season$result[k]) # 1 is a win at home, 0 a draw
}
compared("football.csv", paircomp(votes, labels = teams), undecided = TRUE)
write.csv(estimates, file.path(dir, "estimates.csv"), row.names = FALSE)
