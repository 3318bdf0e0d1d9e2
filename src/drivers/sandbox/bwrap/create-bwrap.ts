// bubblewrap: an empty home, a read-only system, the workspace, no rights and by default no network.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { dirname, join } from "node:path";
import type { Containment, EncloseRequest, HostAccess } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import {
  MAX_ALL_MEBIBYTES,
  MAX_ALL_PROCESSES,
  MAX_HOME_MEBIBYTES,
  MAX_SHARED_MEMORY_MEBIBYTES,
  MAX_TEMPORARY_MEBIBYTES,
  sandboxLimits,
  toBytesText,
} from "../limits.js";
import { callFilter } from "./call-filter.js";
import { canReach, type SandboxIdentity } from "./probe.js";
import { findProtectedPlaces, findWarnings, type OwnPlaces } from "./protected-places.js";
import {
  findToolRoots,
  forwarderScript,
  proxyVariables,
  socketArguments,
  systemFolderArguments,
  toolRootArguments,
} from "./system-folders.js";

const MOUNT = "/sys/fs/cgroup";
const NAME = /^clawtools-(\d+)$/;
/** For commands that run as another user. */
const OTHER_HOME = "/home/sandbox";
const SYSTEM_ROOTS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/gnu"];
/** So that this process can still end a busy command. */
const LOWER_PRIORITY = 5;
const MAX_NICE = constants.priority.PRIORITY_LOW;
const PLAIN_PATH = /^[\w./@+-]+$/;
/** bwrap reads and closes it. */
const FILTER_FD = 4;

const NO_WAY_OUT = [
  ...["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"],
  ...["--die-with-parent", "--hostname", "sandbox"],
];

export interface BwrapRequest extends OwnPlaces {
  readonly root: string;
  readonly home: string | undefined;
  readonly identity: SandboxIdentity;
  readonly bwrap: string;
  readonly setpriv: string;
  /** The author of commits, unless the repository has one. */
  readonly author?: GitAuthor | undefined;
  readonly hosts?: HostAccess | undefined;
}

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

export function createBwrap(request: BwrapRequest): Containment {
  const { root, identity } = request;
  const home = identity.isOther || request.home === undefined ? OTHER_HOME : request.home;
  const asRoot = identity.userId === 0;
  const group = makeControlGroup();
  const totals = group?.totals ?? { pids: false, memory: false };
  const limits = sandboxLimits({ asRoot, totals });
  const toolRoots = findToolRoots(request.home)
    .filter((folder) => !SYSTEM_ROOTS.some((system) => isInside(folder, system)))
    .filter((folder) => canReach(folder, identity));
  const start = startOf(request);
  const filter = callFilter(process.arch);
  const given = filter && { descriptor: FILTER_FD, bytes: filter };
  const filterArguments = given === undefined ? [] : ["--seccomp", String(FILTER_FD)];
  const shown = [...SYSTEM_ROOTS, ...toolRoots];
  const { hosts } = request;
  const offline = fixedArguments({ home, toolRoots, root, hosts, sharesNetwork: false });
  const online = fixedArguments({ home, toolRoots, root, hosts: undefined, sharesNetwork: true });
  const further = [
    ...(request.author === undefined ? [] : authorScript(request.author, { home, root })),
    ...(hosts === undefined ? [] : [forwarderScript()]),
  ];

  return {
    kind: "bwrap",
    isSandbox: true,
    endsChildren: true,
    home,
    limits: limits.names,
    get warnings() {
      return [
        ...(asRoot ? [ROOT_WARNING] : []),
        ...(asRoot && !totals.pids ? [COUNT_WARNING] : []),
        ...(filter === undefined ? [FILTER_WARNING] : []),
        ...findWarnings(root),
      ];
    },
    setupScript: [limits.script, ...further].join("; "),
    smallSetupScript: [limits.smallScript, ...further].join("; "),
    ...(hosts && { hosts, variables: proxyVariables() }),
    wrapperCount: 2,
    startsInit: false,
    enclose(command) {
      const places = findProtectedPlaces({ ...request, shown });
      const fixed = command.allowsNetwork ? online : offline;
      return {
        file: start.file,
        args: [
          ...start.args,
          ...filterArguments,
          ...fixed,
          ...places.args,
          ...lastArguments(command),
        ],
        cwd: "/",
        env: command.env,
        findFault: places.findFault,
        putUnderLimits: (pid) => putUnderLimits(pid, group),
        ...(places.guard && { guard: places.guard }),
        ...(given && { given }),
      };
    },
  };
}

/** A .gitconfig for the home. Octal bytes, because the words are quoted again later. */
function authorScript({ name, email }: GitAuthor, places: Pick<FixedParts, "home" | "root">) {
  const { home, root } = places;
  if (isInside(home, root) || !PLAIN_PATH.test(home)) return [];
  const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const text = `[user]\n\tname = ${quote(name)}\n\temail = ${quote(email)}\n`;
  const octals = [...Buffer.from(text)].map((byte) => `\\0${byte.toString(8)}`).join("");
  return [`printf %b "${octals}" > "${home}/.gitconfig"`];
}

const ROOT_WARNING =
  "The workspace belongs to root, so commands in the sandbox run as root without rights.";

const COUNT_WARNING =
  "The number of processes of a command is not limited: the system does not count those of root, and no control group can be made. Give the workspace to another user.";

/** Children inherit both. */
function putUnderLimits(
  pid: number,
  group: ReturnType<typeof makeControlGroup>,
): string | undefined {
  try {
    setPriority(pid, Math.min(getPriority() + LOWER_PRIORITY, MAX_NICE));
    group?.add(pid);
    return undefined;
  } catch (error) {
    return `its limits could not be set (${errnoOf(error) || String(error)})`;
  }
}

const FILTER_WARNING = `System calls are not filtered on this kind of machine (${process.arch}): commands in the sandbox can make files in the workspace that run with the rights of its owner, and reach the keys of this session.`;

function startOf({ bwrap, setpriv, identity }: BwrapRequest) {
  if (!identity.isOther) return { file: bwrap, args: [] };
  const { userId, groupId } = identity;
  const who = ["--reuid", String(userId), "--regid", String(groupId), "--clear-groups", "--"];
  return { file: setpriv, args: [...who, bwrap] };
}

interface FixedParts {
  readonly home: string;
  readonly root: string;
  readonly toolRoots: readonly string[];
  readonly hosts: HostAccess | undefined;
  readonly sharesNetwork: boolean;
}

function fixedArguments({ home, root, toolRoots, hosts, sharesNetwork }: FixedParts): string[] {
  return [
    ...NO_WAY_OUT,
    ...(sharesNetwork ? ["--share-net"] : []),
    ...systemFolderArguments({ allowsNetwork: sharesNetwork || hosts !== undefined }),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...memoryFolder("/dev/shm", MAX_SHARED_MEMORY_MEBIBYTES),
    ...memoryFolder("/tmp", MAX_TEMPORARY_MEBIBYTES),
    "--dir",
    "/run",
    ...(hosts === undefined ? [] : socketArguments(hosts.socketPath)),
    "--symlink",
    "/tmp",
    "/var/tmp",
    ...memoryFolder(home, MAX_HOME_MEBIBYTES),
    ...toolRootArguments(toolRoots),
    "--bind",
    root,
    root,
  ];
}

function memoryFolder(path: string, mebibytes: number): string[] {
  return ["--size", toBytesText(mebibytes), "--tmpfs", path];
}

/** Folders that hold mounts are writable memory, so they are remounted last. */
function lastArguments({ argv, cwd, isTerminal }: EncloseRequest): string[] {
  return [
    "--remount-ro",
    "/dev",
    // Root without rights still owns the kernel settings in it.
    "--remount-ro",
    "/proc",
    "--remount-ro",
    "/",
    // Without a terminal of its own the command must not reach another one.
    ...(isTerminal ? [] : ["--new-session"]),
    "--chdir",
    cwd,
    "--",
    ...argv,
  ];
}

/** undefined where none can be made. */
export function makeControlGroup(mount = MOUNT) {
  try {
    const parent = findParent(mount);
    removeStale(parent);
    const folder = join(parent, `clawtools-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const totals = {
      pids: setLimit(join(folder, "pids.max"), String(MAX_ALL_PROCESSES)),
      memory: setLimit(join(folder, "memory.max"), toBytesText(MAX_ALL_MEBIBYTES)),
    };
    if (!totals.pids && !totals.memory) return void rmdirSync(folder);
    return {
      totals,
      add: (pid: number) => writeFileSync(join(folder, "cgroup.procs"), String(pid)),
    };
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** Version 1 has a tree per limit. In version 2 a group with processes has no children. */
function findParent(mount: string): string {
  const own = readFileSync("/proc/self/cgroup", "utf8");
  const pids = /^\d+:pids:(.*)$/m.exec(own)?.[1];
  if (pids !== undefined) return join(mount, "pids", pids);
  return join(mount, dirname(/^0::(.*)$/m.exec(own)?.[1] ?? "/"));
}

/** A killed program leaves its group. */
function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmdirSync(join(parent, name));
    } catch (error) {
      // Already removed, or its last process is ending.
      if (errnoOf(error) === "") throw error;
    }
  }
}

function setLimit(path: string, value: string): boolean {
  if (!existsSync(path)) return false;
  writeFileSync(path, value);
  return readFileSync(path, "utf8").trim() === value;
}
