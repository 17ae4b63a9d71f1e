#!/usr/bin/env bash
# The jobs of run.sh, inside its namespace: each on the cluster and in one process, and their results compared. It is the
# first process there; run.sh sets the variables.
set -euo pipefail

# shellcheck disable=SC2154 # set by run.sh
: "$here" "$work" "$flink" "$jar" "$boot" "$fubini" "$fubini_beam" "$data" "$people" "$jobs"
# shellcheck source-path=SCRIPTDIR source=cluster.sh
source "$here/cluster.sh"

log=$work/log.md
shards=64 # parts of a score: many, so that there is a middle to be killed in

fail() {
	echo "run.sh: $1" >&2
	exit 1
}
say() { echo "== $*" >&2; }
row() { printf '| %s | %s | %s |\n' "$1" "$2" "$3" >>"$log"; } # what, seconds, what came of it

# timed runs a command and says in `took` how many seconds that was.
timed() {
	local from=$EPOCHREALTIME
	"$@"
	took=$(awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }')
}

# on_flink runs a command of fubini-beam on the cluster.
on_flink() { # command, arguments...
	"$fubini_beam" "$@" --quiet --endpoint "$job_service" --parallelism 2 --worker-binary "$fubini_beam" \
		--environment-type PROCESS --environment-config "$(jq -nc --arg command "$here/worker.sh" '{$command}')"
}

here_alone() { "$fubini_beam" "$@" --quiet; } # the same in one process, on Prism

main() {
	ip link set lo up
	trap stop_all EXIT
	trap 'exit 130' INT TERM HUP
	rm -rf "$work"/{conf,logs,tmp,workers,artifacts,out}
	mkdir -p "$work/out" "$work/data"
	printf '| | seconds | |\n|---|---:|---|\n' >"$log"

	say 'data'
	make_data
	say 'the cluster'
	timed start_cluster
	row 'cluster' "$took" "Flink $(ask /overview | jq -r '."flink-version"'), $(ask /overview | jq '.taskmanagers') task managers of one slot, and a job server"
	fixed_cost
	local job
	for job in $jobs; do
		"$job"
	done
	workers_end
	say 'the end'
	timed stop_all
	nothing_left
	cat "$log"
}

# --- data ---

# make_data writes ratings, a model of them, and people to be scored in eight files.
make_data() {
	cd -- "$work/data"
	rm -rf -- *
	if [[ $data ]]; then
		"$fubini" data convert "$data" ratings.csv --quiet
	else
		made_up >ratings.csv
	fi
	"$fubini" train ratings.csv -o model.safetensors --epochs 5 --calibrate 0 --quiet
	awk -F, 'NR == 2 { user = $1 } NR == 1 || $1 == user' ratings.csv >person.csv
	make_people
	"$fubini" data split ratings.csv --given 20 -o split --quiet
	row 'data' '' "$(tail -n +2 ratings.csv | cut -d, -f1 | sort -u | wc -l) users, $(tail -n +2 ratings.csv | cut -d, -f2 | sort -u | wc -l) items, $(($(wc -l <ratings.csv) - 1)) ratings; $people people to score, in 8 files"
}

# made_up are ratings by two kinds of people for two kinds of items, with some noise.
made_up() {
	awk 'BEGIN {
		srand(1)
		print "user,item,rating"
		for (user = 1; user <= 600; user++)
			for (item = 1; item <= 200; item++)
				if (rand() < 0.3) {
					level = 3 + (user % 2 == item % 2 ? 1 : -1) + (item % 7 - 3) / 3 + 2 * (rand() - 0.5)
					print "u" user "," "i" item "," (level < 1 ? 1 : level > 5 ? 5 : int(level + 0.5))
				}
	}'
}

# make_people makes as many people as are wanted out of those that there are, each time under new names.
make_people() {
	awk -F, -v OFS=, -v people="$people" '
		NR == 1 { next }
		!($1 in ratings) { users[++count] = $1 }
		{ ratings[$1] = ratings[$1] OFS $2 OFS $3 "\n" }
		END {
			for (file = 0; file < 8; file++)
				print "user,item,rating" >("people-" file ".csv")
			for (n = 0; n < people; n++) {
				user = users[n % count + 1]
				rows = split(ratings[user], row, "\n") - 1
				for (k = 1; k <= rows; k++)
					print user "-" int(n / count) row[k] >("people-" n % 8 ".csv")
			}
		}' ratings.csv
	awk 'NR == 1 || FNR > 1' people-*.csv >people.csv
}

# --- jobs ---

# fixed_cost is what a job takes that has nearly nothing to do; the first one also loads classes.
fixed_cost() {
	local k
	for k in 1 2; do
		timed on_flink score "$work/data/model.safetensors" --input "$work/data/person.csv" --output "$work/out/one-$k" --shards 2
		row "score one person, time $k" "$took" 'the fixed cost of a job'
	done
	timed here_alone score "$work/data/model.safetensors" --input "$work/data/person.csv" --output "$work/out/one-here" --shards 2
	row 'the same in one process' "$took" "$(same one-2 one-here)"
}

# same compares two outputs byte for byte, and says how many parts they have.
same() { # folder, folder
	local part count=0
	[[ -e $work/out/$1/_SUCCESS && -e $work/out/$2/_SUCCESS ]] || fail "$1 or $2 is not complete"
	cmp "$work/out/$1/_SUCCESS" "$work/out/$2/_SUCCESS" >&2 || fail "$1 and $2 tell different things"
	for part in "$work/out/$1"/part-*; do
		cmp "$part" "$work/out/$2/${part##*/}" >&2 || fail "${part##*/} of $1 and $2 differ"
		count=$((count + 1))
	done
	echo "$count parts, the same bytes"
}

score_people() { # how, folder
	"$1" score "$work/data/model.safetensors" --input "$work/data/people-*.csv" --output "$work/out/$2" --shards "$shards"
}

score() {
	say 'score'
	timed "$fubini" recommend "$work/data/model.safetensors" --users "$work/data/people.csv" --format jsonl -o "$work/out/recommend.jsonl" --quiet
	row "fubini recommend for $people people" "$took" 'without Beam'
	timed score_people here_alone score-here
	cat "$work/out/score-here"/part-* | sort | cmp - <(sort "$work/out/recommend.jsonl") >&2 || fail "fubini-beam score and fubini recommend differ"
	row 'fubini-beam score in one process' "$took" 'the same rows'
	timed score_people on_flink score-flink
	row 'the same on the cluster' "$took" "$(same score-flink score-here)"
}

parts() { # at least
	local there=("$work"/out/killed/part-*)
	[[ -e ${there[0]} && ${#there[@]} -ge $1 ]]
}

# killed scores again, and a task manager is killed when a tenth of the parts is written. Another takes its place.
killed() {
	local job there id failures
	say 'score, and a task manager is killed'
	from=$EPOCHREALTIME
	score_people on_flink killed &
	job=$!
	pace=0.1 wait_for 1200 'the first parts' parts $((shards / 10))
	kill -KILL "${pids[task-manager-1]}"
	there=("$work"/out/killed/part-*)
	[[ ! -e $work/out/killed/_SUCCESS && ${#there[@]} -lt $shards ]] || fail "the task manager was killed too late: take more --people"
	wait "${pids[task-manager-1]}" || true
	unset 'pids[task-manager-1]'
	start_task_manager task-manager-3
	wait "$job" || fail "the job did not survive the loss of a task manager"
	took=$(awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }')
	id=$(ask /jobs/overview | jq -r '.jobs | max_by(."start-time").jid')
	failures=$(ask "/jobs/$id/exceptions" | jq '.exceptionHistory.entries | length')
	((failures > 0)) || fail "Flink knows of no failure: the kill had no effect, take more --people"
	row "the same, task manager 1 killed by -9 after ${#there[@]} of $shards parts, another started" "$took" "failures that Flink saw: $failures, job $(ask "/jobs/$id" | jq -r .state); $(same killed score-here)"
	nobody_twice killed
}

# nobody_twice counts people and rows from the parts themselves, without trusting what the job says of them.
nobody_twice() { # folder
	local rows
	rows=$work/out/rows
	cat "$work/out/$1"/part-* | jq -r '[.user, .rank] | @tsv' | sort >"$rows"
	[[ $(uniq "$rows" | wc -l) -eq $(wc -l <"$rows") ]] || fail "somebody is there twice"
	[[ $(cut -f1 "$rows" | uniq | wc -l) -eq $people ]] || fail "of $people people $(cut -f1 "$rows" | uniq | wc -l) are there"
	row 'counted in the parts' '' "$(cut -f1 "$rows" | uniq | wc -l) people, $(wc -l <"$rows") rows, none twice"
}

# train learns in rounds here and on the cluster, and without rounds.
train() {
	local from=$work/data/split/train.tsv
	say 'train'
	timed "$fubini" train "$from" -o "$work/out/single.safetensors" --calibrate 0 --quiet
	row 'fubini train' "$took" 'without Beam'
	timed here_alone train "$from" -o "$work/out/rounds-here.safetensors" --shards 4
	row 'fubini-beam train in one process' "$took" ''
	timed on_flink train "$from" -o "$work/out/rounds.safetensors" --shards 4
	cmp "$work/out/rounds.safetensors" "$work/out/rounds-here.safetensors" >&2 || fail "the models of the cluster and of one process differ"
	row 'the same on the cluster' "$took" 'the same bytes'
}

# evaluate judges the models of train, and two that are fitted on workers.
evaluate() {
	local split=$work/data/split trained
	say 'evaluate'
	cd -- "$work/out" # results name a trained model as it is named here
	trained=(--trained single.safetensors --trained rounds.safetensors)
	timed "$fubini" evaluate --split "$split" --models item-mean,osm --format json -o alone.json --quiet
	row 'fubini evaluate, item-mean and osm' "$took" 'without Beam'
	timed here_alone evaluate --split "$split" --models item-mean,osm "${trained[@]}" --format json -o here.json
	row 'fubini-beam evaluate in one process, these two and the models of train' "$took" ''
	timed on_flink evaluate --split "$split" --models item-mean,osm "${trained[@]}" --format json -o flink.json
	cmp <(numbers here.json) <(numbers flink.json) >&2 || fail "the cluster and one process come to different numbers"
	cmp <(numbers alone.json) <(numbers flink.json | grep -v safetensors) >&2 || fail "fubini-beam evaluate and fubini evaluate come to different numbers"
	row 'the same on the cluster' "$took" "the same numbers; NDCG@5 trained alone $(ndcg single), in rounds $(ndcg rounds)"
	awk -v single="$(ndcg single)" -v rounds="$(ndcg rounds)" 'BEGIN { exit !(rounds >= single - 0.005) }' || fail "training in rounds loses more than 0.005 of NDCG@5"
}

# numbers are those of an evaluation that do not depend on the clock, a line a model.
numbers() { jq -c '.. | objects | select(has("ndcg@5")) | with_entries(select(.key | IN("model", "users", "err", "ndcg@1", "ndcg@5", "ndcg@10")))' "$1"; }
ndcg() { numbers flink.json | jq -r --arg name "$1.safetensors" 'select(.model == $name)["ndcg@5"]'; }

# --- the end ---

workers() { pgrep -fc -- '--worker=true' || true; }
few_workers() { (($(workers) <= spared)); }
no_file_of_a_worker() { [[ -z $(ls -A "$work/workers") ]]; }

# workers_end waits for the workers of jobs that are over. Beam counts the users of a worker, and loses count when a job
# starts again on a task manager that stayed: the job whose task manager was killed may leave one worker there. That worker
# ends with its task manager: worker.sh sees to it, and nothing_left looks.
workers_end() {
	local lost=''
	spared=0
	if [[ $jobs == *killed* ]]; then
		spared=1 lost=', one of which lost a task manager'
	fi
	wait_for 120 'the workers of jobs that are over end' few_workers
	row 'workers left behind' '' "$(workers), after $(ask /jobs/overview | jq '.jobs | length') jobs$lost"
}

# nothing_left looks at all processes of the namespace: this one must be alone. Guards of workers end by themselves: they
# look for their task manager twice a second and then take up to 12 seconds, longer on a busy machine.
nothing_left() {
	local all
	for _ in {1..600}; do
		all=(/proc/[0-9]*)
		[[ ${all[*]} != /proc/1 ]] || break
		sleep 0.2
	done
	[[ ${all[*]} == /proc/1 ]] || fail "processes are left: $(ps -eo pid=,args=)"
	no_file_of_a_worker || fail "files of workers are left: $(ls -A "$work/workers")"
	row 'cluster down' "$took" '0 processes and 0 files of workers left'
}

main
