// The attempts to leave a sandbox, as shell words that run inside. Each that gets somewhere says so,
// and takes back what it did; the last line is printed only when all were made.

export interface ProbeScriptRequest {
  /** Told at the end, so that no other program's words can pass for it. */
  readonly token: string;
  /** Of 127.0.0.1, where somebody listens on the host. */
  readonly port: number;
  readonly hostPid: number;
  /** System calls are filtered. */
  readonly isFiltered: boolean;
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

const SET_ID_ATTEMPT = `name=/tmp/set-id; : > "$name"
if chmod u+s "$name" 2>/dev/null || chmod g+s "$name" 2>/dev/null; then escaped 'files with the rights of their owner could be made'; fi`;

export function probeScript({ token, port, hostPid, isFiltered }: ProbeScriptRequest): string {
  return `
escaped() { printf '%s\\n' "$1"; }
${DESCRIPTOR_ATTEMPT}
for place in /usr /etc /opt / /dev; do
  name="$place/.clawtools-${token}"
  if { : > "$name"; } 2>/dev/null; then rm -f "$name"; escaped "a file could be written in $place"; fi
done
if { exec 8>>/proc/sys/kernel/core_pattern; } 2>/dev/null; then escaped 'settings of the kernel could be changed'; fi
if mount -o remount,rw,bind /usr 2>/dev/null; then escaped 'the system could be mounted again to be written'; fi
while read -r name value rest; do
  case $name in
    CapEff:|CapPrm:|CapBnd:|CapAmb:) [ "$value" = 0000000000000000 ] || escaped "rights are left ($name $value)" ;;
    NoNewPrivs:) [ "$value" = 1 ] || escaped 'programs could gain rights' ;;
  esac
done < /proc/self/status
${hostPid >= MIN_TELLING_PID ? `if [ -e /proc/${hostPid} ] || kill -0 ${hostPid} 2>/dev/null; then escaped 'processes of the host are seen'; fi` : ""}
set -- /proc/[0-9]*
[ $# -le ${MAX_INSIDE_PROCESSES} ] || escaped "processes of others are seen"
if { exec 9<>/dev/tcp/127.0.0.1/${port}; } 2>/dev/null; then escaped 'the network of the host is reached'; fi
${isFiltered ? SET_ID_ATTEMPT : ""}
if unshare --user true 2>/dev/null; then escaped 'a further user namespace could be made'; fi
if ulimit -f unlimited 2>/dev/null; then escaped 'limits could be raised'; fi
printf 'held %s\\n' ${token}
`;
}
