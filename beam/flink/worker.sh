#!/usr/bin/env bash
# One worker of a Beam job, as a Flink task manager starts it in a PROCESS environment: Beam's boot program, and the
# worker that boot starts in turn. Flink's arguments are handed on.
#
# Started plainly, boot leaves much behind. It does not pass on the SIGTERM that ends a job, so that a worker stays for
# every job; all workers of a machine unpack into the same folder; and each leaves a copy of its program in /tmp. Here
# boot runs in a folder and a process group of its own, and a guard ends the group and takes the files away when
#   - this script has ended, also by SIGKILL: half a second after SIGTERM Flink has no more patience;
#   - the task manager that started it is gone: killed by -9 it cannot tell anybody.
#
#     FUBINI_BOOT      the boot program
#     FUBINI_WORKERS   the folder in which workers get theirs
set -uo pipefail

boot=${FUBINI_BOOT:?the boot program}
mkdir -p "${FUBINI_WORKERS:?the folder in which workers get theirs}" || exit 1
own=$(mktemp -d "$FUBINI_WORKERS/worker.XXXXXX") || exit 1
cd "$own" || exit 1 # where boot writes the options of the job
manager=$PPID

# guard watches over the process group of boot.
guard() { # group
	local group=$1 process program copy=
	trap '' TERM INT HUP
	while [[ $(ps -o ppid= -p $$) -eq $manager ]]; do # nothing if it has ended; an orphan is given a new parent
		if [[ -z $copy ]]; then
			for process in $(pgrep -g "$group"); do
				program=$(readlink "/proc/$process/exe")
				[[ $program != /tmp/bin*/worker ]] || copy=$program
			done
		fi
		sleep 0.5
	done
	kill -TERM -- "-$group"
	for _ in {1..20}; do
		kill -0 -- "-$group" || break
		sleep 0.1
	done
	kill -KILL -- "-$group"
	[[ -z $copy ]] || rm -rf "${copy%/worker}"
	rm -rf "$own"
}

set -m # a background job leads its own process group
"$boot" "$@" --semi_persist_dir="$own" &
group=$!
trap 'kill -TERM -- "-$group"; exit 143' TERM INT HUP # the guard does the rest
guard "$group" 2>/dev/null &
wait "$group"
