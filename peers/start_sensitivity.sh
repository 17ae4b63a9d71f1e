#!/usr/bin/env bash
# How much ListRank-MF and Plackett-Luce-MF depend on the start of the user matrix, normal or nonnegative: NDCG@5 over
# seeds on one fixed split, mean and standard deviation.
#
#     go build -o /tmp/fubini ./cmd/fubini
#     /tmp/fubini data split ml-100k/u.data --given 20 -o /tmp/split
#     FUBINI=/tmp/fubini peers/start_sensitivity.sh /tmp/split [SEEDS [NAME=VALUE]]
#
# The paper says that both are very sensitive and that a nonnegative start is good. SEEDS is 20 unless given; NAME=VALUE is a
# further setting for all runs.
set -euo pipefail

split=${1:?usage: start_sensitivity.sh SPLIT [SEEDS [NAME=VALUE]]}
seeds=${2:-20}
more=${3:+,$3}
for model in listrank-mf plackett-luce-mf; do
	for start in normal nonnegative; do
		for seed in $(seq "$seeds"); do
			"${FUBINI:-fubini}" evaluate --split "$split" --models "$model" --set "start=$start$more" --seed "$seed" --format json 2>/dev/null |
				sed -n 's/.*"ndcg@5": \([0-9.]*\).*/\1/p'
		done | awk -v model="$model" -v start="$start" '
			{ n++; sum += $1; squares += $1 * $1; if (n == 1 || $1 < low) low = $1; if (n == 1 || $1 > high) high = $1 }
			END {
				mean = sum / n
				sd = (n > 1) ? sqrt((squares - n * mean * mean) / (n - 1)) : 0
				printf "{\"model\": \"%s\", \"start\": \"%s\", \"seeds\": %d, \"ndcg@5\": %.4f, \"sd\": %.4f, \"lowest\": %.4f, \"highest\": %.4f}\n",
					model, start, n, mean, sd, low, high
			}'
	done
done
