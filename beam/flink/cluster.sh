# shellcheck shell=bash disable=SC2154 # run.sh sets what is not set here
# A standalone Flink cluster on loopback, and Beam's job server beside it. For run.sh, which sets:
#
#   work    its folder            flink   the folder with Flink's lib and bin    boot   Beam's boot program
#   here    the folder of this    jar     the job server
#
# Everything started here is in pids, and stop_all ends it.

job_service=127.0.0.1:8099
rest=http://127.0.0.1:8081
declare -A pids=()

# Java 17 keeps its insides closed; Flink's serialisers look into them.
java_opens=()
for package in lang net io nio lang.reflect text time util util.concurrent util.concurrent.atomic util.concurrent.locks; do
	java_opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
java_opens+=(--add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-exports=java.base/sun.net.util=ALL-UNNAMED)

# start runs a process in the background, with a file for what it says.
start() { # name, command...
	local name=$1
	shift
	"$@" >"$work/logs/$name.log" 2>&1 &
	pids[$name]=$!
}

write_config() {
	mkdir -p "$work/conf" "$work/logs" "$work/tmp" "$work/workers" "$work/artifacts"
	{
		cat "$here/config.yaml"
		printf 'io.tmp.dirs: %s\n' "$work/tmp"
	} >"$work/conf/config.yaml"
}

# flink_java starts a part of Flink; on a busy machine the ten seconds that Pekko gives itself to start are not enough.
flink_java() { # name, options for Java..., class, arguments...
	local name=$1
	shift
	start "$name" java "${java_opens[@]}" "-Dlog4j.configurationFile=$here/log4j.properties" -Djava.io.tmpdir="$work/tmp" \
		-Dpekko.remote.classic.startup-timeout=300s -cp "$flink/lib/*" -XX:MaxMetaspaceSize=256m "$@"
}

start_job_manager() {
	flink_java job-manager -Xmx640m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$work/conf"
}

# start_task_manager gives Java the memory that config.yaml names: on the heap that of tasks and 128 MB for Flink, off the
# heap that of tasks, of the network and again 128 MB.
start_task_manager() { # name
	FUBINI_BOOT=$boot FUBINI_WORKERS=$work/workers flink_java "$1" -Xmx640m -XX:MaxDirectMemorySize=1408m \
		org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$work/conf" -D "taskmanager.resource-id=$1"
}

start_job_server() {
	start job-server java -Xmx512m "${java_opens[@]}" -Djava.io.tmpdir="$work/tmp" -jar "$jar" --flink-master="${rest#http://}" \
		--flink-conf-dir="$work/conf" --job-host="${job_service%:*}" --job-port="${job_service#*:}" --artifacts-dir="$work/artifacts"
}

ask() { curl -fsS --max-time 30 "$rest$1"; } # path of Flink's REST interface

# wait_for tries a command every second, or every $pace seconds, until it succeeds.
wait_for() { # seconds, what, command...
	local until=$((SECONDS + $1)) what=$2
	shift 2
	while ! "$@" 2>/dev/null; do
		all_alive
		((SECONDS < until)) || fail "$what: not within the time allowed; see $work/logs"
		sleep "${pace:-1}"
	done
}

# all_alive fails if a process that was started has ended.
all_alive() {
	local name
	for name in "${!pids[@]}"; do
		kill -0 "${pids[$name]}" 2>/dev/null || fail "the $name has ended; see $work/logs/$name.log"
	done
}

slots_free() { [[ $(ask /overview | jq '."slots-available"') -ge $1 ]]; } # how many
listening() { (exec 3<>"/dev/tcp/${1%:*}/${1#*:}"); }                     # host:port

start_cluster() {
	write_config
	start_job_manager
	start_task_manager task-manager-1
	start_task_manager task-manager-2
	start_job_server
	wait_for 1200 'two task managers' slots_free 2
	wait_for 1200 'the job server' listening "$job_service"
}

stop_all() {
	local name
	for name in "${!pids[@]}"; do
		kill "${pids[$name]}" 2>/dev/null || true
	done
	for name in "${!pids[@]}"; do
		wait "${pids[$name]}" 2>/dev/null || true
	done
	pids=()
}
