#!/usr/bin/env bash
# One worker of a Beam job, as a Flink task manager starts it in a PROCESS environment: Beam's boot program, and the
# worker that boot starts in turn. Flink's arguments are handed on, and the exit code of boot comes back.
#
# Started plainly, boot leaves three things behind:
#   - the worker, once for every job: boot does not pass on the SIGTERM that ends a job;
#   - the unpacked files of the job, in one folder for all workers of a machine;
#   - a copy of the worker's program, in a folder /tmp/bin*.
#
# Here a guard makes the folder of the worker and starts boot in it, in a process group of its own. The guard ends the
# group and removes the files when
#   - boot has ended;
#   - this script has ended, also by SIGKILL: Flink sends it half a second after SIGTERM;
#   - the task manager that started this script is gone: killed by -9 it sends no signal.
# This script itself makes nothing, so that it can be ended at any moment, also before the guard runs.
#
#     FUBINI_BOOT      the boot program
#     FUBINI_WORKERS   the folder in which workers get theirs
set -uo pipefail

: "${FUBINI_BOOT:?the boot program}" "${FUBINI_WORKERS:?the folder in which workers get theirs}"
manager=$PPID

# look sets the state, parent and process group of a process; it fails for one that has ended. It reads /proc, so that a
# machine without ps and pgrep will do.
look() { # process
	local line
	{ read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
	read -r state parent group _ <<<"${line##*) }"
	[[ $state != Z ]]
}

# needed says whether boot and this script still run, and this script is still the task manager's child: an orphan gets a
# new parent.
needed() { # process of boot
	local state parent group
	look "$1" && look $$ && [[ $parent -eq $manager ]]
}

# members lists the processes of a process group.
members() { # process group
	local folder state parent group
	for folder in /proc/[0-9]*; do
		! look "${folder#/proc/}" || [[ $group -ne $1 ]] || echo "${folder#/proc/}"
	done
}

# find_copy prints the folder of the worker's program, which boot may be writing or the worker running.
find_copy() { # process group
	local process file
	for process in $(members "$1"); do
		for file in "/proc/$process/exe" "/proc/$process/fd"/*; do
			file=$(readlink "$file")
			[[ $file != /tmp/bin*/worker ]] || { echo "${file%/worker}" && return; }
		done
	done
}

# gone_within waits for the end of a process group.
gone_within() { # tenths of a second, process group
	local left
	for ((left = $1; left > 0; left--)); do
		[[ $(members "$2") ]] || return 0
		sleep 0.1
	done
	return 1
}

# guard runs boot in a folder and a process group, and removes both.
guard() { # arguments of boot...
	local own boot copy='' status
	trap '' TERM INT HUP
	mkdir -p "$FUBINI_WORKERS" || exit 1
	own=$(mktemp -d "$FUBINI_WORKERS/worker.XXXXXX") || exit 1
	set -m # a background job leads its own process group
	(
		trap - TERM INT HUP
		cd "$own" || exit 1 # where boot writes the options of the job
		exec "$FUBINI_BOOT" "$@" --semi_persist_dir="$own"
	) &
	boot=$!
	while needed "$boot"; do
		[[ $copy ]] || copy=$(find_copy "$boot")
		sleep 0.5
	done
	[[ $copy ]] || copy=$(find_copy "$boot")
	kill -TERM -- "-$boot" 2>/dev/null
	gone_within 20 "$boot" || kill -KILL -- "-$boot" 2>/dev/null
	gone_within 100 "$boot" # whoever is still dying could still write
	wait "$boot"
	status=$?
	rm -rf "$own" ${copy:+"$copy"}
	exit "$status"
}

set -m # the guard too: a signal to the process group of this script does not reach it
guard "$@" &
trap 'exit 143' TERM INT HUP # the guard does the rest
wait $!
