// The attempts to leave a sandbox, as shell words that run inside. Each that gets somewhere says so,
// and takes back what it did; the last line says how many were made and held.

export interface ProbeScriptRequest {
  /** Told at the end, so that no other program's words can pass for it. */
  readonly token: string;
  /** Of 127.0.0.1, where somebody listens on the host. */
  readonly port: number;
  readonly hostPid: number;
  /** System calls are filtered. */
  readonly isFiltered: boolean;
  /** The letter of `ulimit` and the value that each limit must have. */
  readonly limits: readonly (readonly [flag: string, value: string])[];
}

/** Pids of a fresh namespace are small; a host process with a small pid says nothing. */
const MIN_TELLING_PID = 64;
const MAX_INSIDE_PROCESSES = 16;

/**
 * First, and before anything else is opened: what is open is a way to wherever it leads. The first
 * process looks through its own descriptors as it begins, by one more that it closes at once.
 */
export const DESCRIPTOR_ATTEMPT = `for place in /proc/self/fd/*; do
  case $place in */[012]) ;; *) if [ -h "$place" ]; then escaped "the descriptor \${place##*/} of this program is open"; fi ;; esac
done
leads() { [ -d "$1" ] || [ -s "$1" ]; }
for place in /proc/1/fd/*; do
  case $place in */[012]) ;; *) if leads "$place" && sleep 0.3 && leads "$place"; then escaped "the descriptor \${place##*/} of this program can be taken"; fi ;; esac
done`;

const SYSTEM_PLACES = ["/usr", "/etc", "/opt", "/", "/dev"];
const STATUS_LINES = 5;

/** Nothing is redirected: where that fails, the attempt is not made, and looks as if it had failed. */
const WORDS = `held=0
escaped() { printf '%s\\n' "$1"; }
try() {
  what=$1; shift; "$@"
  case $? in 0) escaped "$what" ;; 126|127) escaped "$1 cannot be run, which is needed to try the sandbox" ;; *) held=$((held + 1)) ;; esac
}
must() { if [ "$2" = "$3" ]; then held=$((held + 1)); else escaped "$1 ($2)"; fi; }
write() { : > "$1" && { rm -f "$1"; true; }; }
open_setting() { exec 8>>"$1"; }
connect() { exec 9<>"/dev/tcp/127.0.0.1/$1"; }
seen() { [ -e "/proc/$1" ] || kill -0 "$1"; }`;

/** The script, and how many attempts it says it has made when all of them failed. */
export function probeScript(request: ProbeScriptRequest): { script: string; attempts: number } {
  const { token, port, hostPid, isFiltered, limits } = request;
  const tries = [
    ...SYSTEM_PLACES.map(
      (place) => `'a file could be written in ${place}' write ${place}/.clawtools-${token}`,
    ),
    "'settings of the kernel could be changed' open_setting /proc/sys/kernel/core_pattern",
    "'the system could be mounted again to be written' mount -o remount,rw,bind /usr",
    ...(hostPid >= MIN_TELLING_PID ? [`'processes of the host are seen' seen ${hostPid}`] : []),
    `'the network of the host is reached' connect ${port}`,
    ...(isFiltered ? ["u", "g"] : []).map(
      (whom) => `'files with the rights of their owner could be made' chmod ${whom}+s /tmp/set-id`,
    ),
    "'a further user namespace could be made' unshare --user true",
    "'limits could be raised' ulimit -f unlimited",
  ];
  const script = `
${WORDS}
${DESCRIPTOR_ATTEMPT}
: > /tmp/set-id || escaped '/tmp cannot be written'
${tries.map((one) => `try ${one}`).join("\n")}
while read -r name value rest; do
  case $name in
    CapEff:|CapPrm:|CapBnd:|CapAmb:) must "rights are left, $name" "$value" 0000000000000000 ;;
    NoNewPrivs:) must 'programs could gain rights' "$value" 1 ;;
  esac
done < /proc/self/status
${limits.map(([flag, value]) => `must 'the limit ulimit -${flag} ${value} is not set' "$(ulimit -${flag})" ${value}`).join("\n")}
set -- /proc/[0-9]*
[ $# -le ${MAX_INSIDE_PROCESSES} ] || escaped "processes of others are seen"
printf 'held %s %s\\n' ${token} "$held"
`;
  return { script, attempts: tries.length + STATUS_LINES + limits.length };
}
