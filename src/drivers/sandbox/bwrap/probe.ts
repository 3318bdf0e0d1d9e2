// Tries to escape from the sandbox. It is used only if every attempt was made and failed.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { Duplex } from "node:stream";
import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { closeDescriptorsFrom } from "../../../lib/system/shell-words.js";
import { callFilter } from "./call-filter.js";

/** A new namespace has small pids, so a small host pid proves nothing. */
const MIN_TELLING_PID = 64;
const MAX_INSIDE_PROCESSES = 16;

/** First: an open descriptor leads wherever it points. */
export const DESCRIPTOR_ATTEMPT = `for place in /proc/self/fd/*; do
  case $place in */[012]) ;; *) if [ -h "$place" ]; then escaped "the descriptor \${place##*/} of this program is open"; fi ;; esac
done
leads() { [ -d "$1" ] || [ -s "$1" ]; }
for place in /proc/1/fd/*; do
  case $place in */[012]) ;; *) if leads "$place" && sleep 0.3 && leads "$place"; then escaped "the descriptor \${place##*/} of this program can be taken"; fi ;; esac
done`;

const SYSTEM_PLACES = ["/usr", "/etc", "/opt", "/", "/dev"];
const STATUS_LINES = 5;

/** No redirects: a failing one would look like a failed attempt. */
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

interface ProbeScriptRequest {
  /** Other programs cannot fake the result. */
  readonly token: string;
  readonly port: number;
  readonly hostPid: number;
  readonly isFiltered: boolean;
  /** The letter of `ulimit` and its required value. */
  readonly limits: readonly (readonly [flag: string, value: string])[];
}

const MAX_PROBE_MS = 5_000;
const MAX_PROBE_OUTPUT_BYTES = 64 * 1_024;
const TOKEN_BYTES = 12;
const LIMIT = /ulimit -(\w) (\d+)/g;
const STANDARD_FDS = 3;

interface ProbeRequest {
  readonly containment: Containment;
  readonly bash: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why it failed; undefined when it held. */
export async function probeSandbox(request: ProbeRequest): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    // Any program may try the port, so connections are not counted.
    return await runProbe(request, port);
  } finally {
    server.close();
  }
}

function runProbe(request: ProbeRequest, port: number): Promise<string | undefined> {
  const { containment, bash, root, env } = request;
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const before = `${closeDescriptorsFrom(STANDARD_FDS)}\n${containment.setupScript}`;
  const isFiltered = callFilter(process.arch) !== undefined;
  const limits = [...containment.setupScript.matchAll(LIMIT)].map(
    ([, flag = "", value = ""]) => [flag, value] as const,
  );
  const { script, attempts } = probeScript({
    ...{ token, port, hostPid: process.pid, isFiltered, limits },
  });
  const inside = containment.enclose({
    argv: [bash, "--noprofile", "--norc", "-p", "-c", `${before}\n${script}`],
    cwd: root,
    env,
    isTerminal: false,
    allowsNetwork: false,
  });
  return runInside(inside).then(({ stdout, stderr, ending }) => {
    const lines = stdout.split("\n").filter((line) => line !== "");
    const escaped = lines.find((line) => !line.startsWith(`held ${token} `));
    if (escaped !== undefined) return escaped;
    const isWhole = lines.length === 1 && lines[0] === `held ${token} ${attempts}`;
    if (isWhole && ending === undefined) return undefined;
    return firstLine(stderr) ?? ending ?? "not all attempts to leave it could be made";
  });
}

interface Attempted {
  readonly stdout: string;
  readonly stderr: string;
  readonly ending: string | undefined;
}

function runInside({ file, args, cwd, env, given }: EnclosedCommand): Promise<Attempted> {
  return new Promise((resolve) => {
    const between = Array.from(
      { length: (given?.descriptor ?? 0) - STANDARD_FDS },
      () => "ignore" as const,
    );
    const child = spawn(file, [...args], {
      cwd,
      env: { ...env },
      timeout: MAX_PROBE_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe", ...(given ? [...between, "pipe" as const] : [])],
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (bytes: Buffer) => {
        if (texts[name].length < MAX_PROBE_OUTPUT_BYTES) texts[name] += bytes.toString("utf8");
      });
    }
    const pipe = given && child.stdio[given.descriptor];
    if (pipe instanceof Duplex) {
      // The exit reports more.
      pipe.on("error", () => undefined);
      pipe.end(given?.bytes, () => pipe.destroy());
    }
    child.once("error", (error) => resolve({ ...texts, ending: error.message }));
    child.once("close", (code, signal) => {
      resolve({ ...texts, ending: code === 0 ? undefined : `it ended with ${signal ?? code}` });
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.trim().split("\n")[0];
  return line === "" ? undefined : line;
}

function probeScript(request: ProbeScriptRequest): { script: string; attempts: number } {
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

const OWNER_SEARCH = 0o100;
const GROUP_SEARCH = 0o010;
const OTHERS_SEARCH = 0o001;

export interface SandboxIdentity {
  readonly userId: number;
  readonly groupId: number;
  readonly isOther: boolean;
}

export function chooseIdentity(root: string): SandboxIdentity {
  const userId = process.getuid?.() ?? 0;
  const groupId = process.getgid?.() ?? 0;
  if (userId !== 0) return { userId, groupId, isOther: false };
  const owner = statSync(root);
  if (owner.uid === 0) return { userId, groupId, isOther: false };
  return { userId: owner.uid, groupId: owner.gid, isOther: true };
}

/** For this process itself the system is asked later. */
export function canReach(path: string, identity: SandboxIdentity): boolean {
  if (!identity.isOther) return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!canSearch(folder, identity)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function canSearch(folder: string, { userId, groupId }: SandboxIdentity): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === userId) return (mode & OWNER_SEARCH) !== 0;
  if (gid === groupId) return (mode & GROUP_SEARCH) !== 0;
  return (mode & OTHERS_SEARCH) !== 0;
}
