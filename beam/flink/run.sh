#!/usr/bin/env bash
# Brings up a Flink cluster of two task managers without Docker, runs the jobs of fubini-beam on it, kills a task manager in
# the middle of one, and takes everything down again; `run.sh --help` says more.
set -euo pipefail

usage() {
	cat <<'END'
usage: beam/flink/run.sh [--work DIR] [--data DATA] [--people N] [--jobs LIST]

Brings up a standalone Flink 1.19 cluster on this machine: a job manager, two task
managers and Beam's job server, in a network namespace that has only loopback. On it
fubini-beam scores, trains and evaluates, and the results are held against those of the
same jobs in one process. A task manager is killed (kill -9) in the middle of scoring;
the job must end with all parts, the same bytes and nobody twice. At the end no process
is left. What was done and measured goes to DIR/log.md and to standard output.

  --work DIR    folder for programs, data and logs; what is there is used again
                (default fubini-flink in $TMPDIR or /tmp)
  --data DATA   ratings, in any form that fubini reads (default: made up)
  --people N    how many people are scored (default 100000)
  --jobs LIST   which jobs are run after the one of one person: score, killed, train and
                evaluate, with spaces between (default: all); killed needs score before
                it, and evaluate needs train
  --help        this text

Needs Go, a JDK 17, Maven, Python 3 with venv, curl, jq, and from Debian iproute2,
procps and util-linux. Flink comes from PyPI, the job server from Maven Central, Beam's
boot program from the Go module proxy. Without being root, user namespaces must be allowed.

Exit code: 0 all is as it should be, 1 something is not, 2 wrong usage, 130 interrupted.
END
}

# What is downloaded, by version. Beam's SDK for Go is the one of beam/go.mod.
flink_version=1.19.3
shopt -s inherit_errexit

fail() { # message, exit code
	echo "run.sh: $1" >&2
	exit "${2:-1}"
}

main() {
	work=${TMPDIR:-/tmp}/fubini-flink data='' people=100000 jobs='score killed train evaluate'
	while (($# > 0)); do
		case $1 in
		--work | --data | --people | --jobs)
			(($# > 1)) || fail "$1 needs a value (see run.sh --help)" 2
			case $1 in
			--work) work=$2 ;;
			--data) data=$(realpath -e -- "$2") || fail "--data: there is no $2" 2 ;;
			--people) people=$2 ;;
			--jobs) jobs=$2 ;;
			esac
			shift 2
			;;
		--help | -h) usage && exit 0 ;;
		*) fail "unknown argument $1 (see run.sh --help)" 2 ;;
		esac
	done
	[[ $people =~ ^[1-9][0-9]*$ ]] || fail "--people: $people is not a number of people" 2
	[[ $jobs =~ ^((score( killed)?|train( evaluate)?) ?)*$ ]] || fail "--jobs: $jobs is no list of jobs (see run.sh --help)" 2
	here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
	mkdir -p "$work"
	work=$(cd -- "$work" && pwd)
	prepare
	in_namespace
}

# prepare fetches and builds what is not there yet.
prepare() {
	local command
	for command in go java mvn python3 curl jq ip ps unshare; do
		command -v "$command" >/dev/null || fail "$command is missing (see run.sh --help)"
	done
	export boot=$work/bin/container jar=$work/job-server.jar fubini=$work/bin/fubini fubini_beam=$work/bin/fubini-beam
	if [[ ! -d $work/flink ]]; then
		say "Flink $flink_version"
		rm -rf "$work/venv"
		python3 -m venv "$work/venv"
		"$work/venv/bin/pip" install --quiet --no-deps "apache-flink-libraries==$flink_version"
		mv "$work"/venv/lib/python3*/site-packages/pyflink "$work/flink"
		rm -rf "$work/venv"
	fi
	if [[ ! -e $jar ]]; then
		say "Beam's job server"
		mkdir -p "$work/job-server" # Maven writes beside its pom.xml
		cp "$here/pom.xml" "$work/job-server"
		mvn -q -B -f "$work/job-server/pom.xml" package
		mv "$work/job-server/target/job-server.jar" "$jar"
		rm -rf "$work/job-server"
	fi
	say "Beam's boot program, fubini, fubini-beam"
	local beam_version
	beam_version=$(cd -- "$here/.." && go list -m -f '{{.Version}}' github.com/apache/beam/sdks/v2)
	GOBIN=$work/bin go install "github.com/apache/beam/sdks/v2/go/container@$beam_version"
	(cd -- "$here/../.." && CGO_ENABLED=0 go build -o "$fubini" ./cmd/fubini)
	(cd -- "$here/.." && CGO_ENABLED=0 go build -o "$fubini_beam" ./cmd/fubini-beam)
}

say() { echo "== $*" >&2; }

# in_namespace runs the jobs where there is no network but loopback, as the job server listens on all interfaces whatever
# it is told; and in a process namespace of its own: when its first process ends, however it ends, so does everything in it.
in_namespace() {
	local as_root=() namespace status=0
	[[ $(id -u) -eq 0 ]] || as_root=(--map-root-user)
	export work here data people jobs flink=$work/flink
	unshare "${as_root[@]}" --net --pid --fork --kill-child=KILL --mount-proc "$here/jobs.sh" &
	namespace=$!
	trap 'kill -KILL "$namespace"; exit 130' INT TERM HUP
	wait "$namespace" || status=$?
	trap - INT TERM HUP
	exit "$status"
}

main "$@"
