#!/usr/bin/env bash
# One worker of a Beam job, as a Flink task manager starts it in a PROCESS environment: Beam's boot program, and the
# worker that boot starts in turn. Flink's arguments are handed on.
#
# Started plainly, boot leaves much behind. It does not pass on the SIGTERM that ends a job, so that a worker stays for
# every job; all workers of a machine would unpack into the same folder; and each leaves a copy of its program in /tmp.
# Here boot runs in a folder and a process group of its own. The group is ended when this script is told to end, when boot
# ends, or when the task manager that started us is gone (killed by -9 it cannot tell us), and the files go with it.
#
#     FUBINI_BOOT      the boot program
#     FUBINI_WORKERS   the folder in which workers get theirs
# shellcheck disable=SC2329 # finish is called by a trap
set -uo pipefail

boot=${FUBINI_BOOT:?the boot program}
mkdir -p "${FUBINI_WORKERS:?the folder in which workers get theirs}" || exit 1
own=$(mktemp -d "$FUBINI_WORKERS/worker.XXXXXX") || exit 1
parent=$PPID
group=''
nap=''
copy='' # the program that the worker runs, once it does

# note_copy finds where boot has put the worker's program.
note_copy() {
	local process program
	for process in $(pgrep -g "$group"); do
		program=$(readlink "/proc/$process/exe")
		if [[ $program == /tmp/bin*/worker ]]; then
			copy=$program
		fi
	done
}

finish() {
	trap '' TERM INT HUP # once is enough
	if [[ $group ]]; then
		[[ $copy ]] || note_copy
		kill -TERM -- "-$group"
		for _ in {1..10}; do
			kill -0 -- "-$group" || break
			sleep 0.1
		done
		kill -KILL -- "-$group" # whoever has not listened for a second
	fi 2>/dev/null
	[[ -z $nap ]] || kill "$nap" 2>/dev/null
	[[ -z $copy ]] || rm -rf "${copy%/worker}"
	rm -rf "$own"
}
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
trap 'exit 129' HUP

cd "$own" || exit 1
set -m # a background job leads its own process group
"$boot" "$@" --semi_persist_dir="$own" &
group=$!
set +m

while [[ $(ps -o ppid= -p $$) -eq $parent ]]; do # an orphan is given a new parent
	sleep 1 &
	nap=$!
	wait -n -p ended "$group" "$nap" # a signal ends the waiting too
	status=$?
	if [[ ${ended:-} == "$group" ]]; then
		exit "$status"
	fi
	[[ $copy ]] || note_copy
done
echo "worker.sh: the task manager is gone, the worker ends" >&2
exit 1
