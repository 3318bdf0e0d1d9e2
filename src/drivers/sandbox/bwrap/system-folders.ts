// The parts of the system that a sandboxed command sees, read-only: programs, libraries, some of /etc.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../../lib/paths.js";

const PROGRAM_FOLDERS = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu".split(" ");

/** Each mount takes time at every start. */
const SETTINGS = (
  "alternatives fonts gitconfig group ld.so.cache localtime nsswitch.conf os-release passwd " +
  "ssl/openssl.cnf"
).split(" ");

const NETWORK_SETTINGS = (
  "ca-certificates crypto-policies gai.conf host.conf hosts pki protocols resolv.conf " +
  "services ssl/certs"
).split(" ");

/** Links stay links. */
export function systemFolderArguments(request: { readonly allowsNetwork: boolean }): string[] {
  const settings = request.allowsNetwork ? [...SETTINGS, ...NETWORK_SETTINGS] : SETTINGS;
  return [
    ...PROGRAM_FOLDERS.flatMap(bindFolder),
    ...settings.flatMap((name) => showSetting(join("/etc", name))),
  ];
}

function bindFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
  return ["--ro-bind", path, path];
}

/** resolv.conf may be a link to anywhere. */
function showSetting(path: string): string[] {
  try {
    const target = realpathSync(path);
    // Already visible.
    return isInside(target, "/usr") ? ["--symlink", target, path] : ["--ro-bind", target, path];
  } catch {
    // Missing, or a dangling link.
    return [];
  }
}

const INSIDE_SOCKET = "/run/clawtools-net";
const LOOPBACK = "127.0.0.1";
const PORT = 3_128;
const DIRECT = "localhost,127.0.0.1,::1";

/** Closes its output once it listens. It has no quotes, so any shell can quote it. */
const FORWARDER = [
  "const [,net,file,nothing,error,close,port,host,path,...signals]=process.argv,{createServer,connect}=require(net),fs=require(file)",
  "for(const signal of signals)process.on(signal,()=>{})",
  "createServer({allowHalfOpen:true},(near)=>{const far=connect({path,allowHalfOpen:true})",
  "for(const [one,other] of [[near,far],[far,near]]){one.pipe(other);one.on(error,()=>other.destroy());one.on(close,()=>other.destroy())}",
  "}).listen(port,host,()=>{fs.closeSync(1);fs.openSync(nothing)})",
].join(";");

export function socketArguments(socketPath: string): string[] {
  return ["--ro-bind", socketPath, INSIDE_SOCKET];
}

/** Starts the forwarder and waits until it listens; init adopts it. */
export function forwarderScript(): string {
  const names = ["net", "fs", "/dev/null", "error", "close"];
  const args = [...names, PORT, LOOPBACK, INSIDE_SOCKET, "SIGINT", "SIGHUP"];
  const node = realpathSync(process.execPath);
  const words = `"${node}" -e "${FORWARDER}" ${args.join(" ")}`;
  return `: "$( (${words} </dev/null 2>/dev/null 3<&- &) )"`;
}

export function proxyVariables(): Record<string, string> {
  const url = `http://${LOOPBACK}:${PORT}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const ofNpm = ["npm_config_proxy", "npm_config_https_proxy"];
  return {
    ...Object.fromEntries([...names, ...ofNpm].map((name) => [name, url])),
    ...{ NO_PROXY: DIRECT, no_proxy: DIRECT, npm_config_noproxy: DIRECT },
    // Otherwise Node ignores these variables.
    NODE_USE_ENV_PROXY: "1",
  };
}

const HOME_TOOL_FOLDERS = (
  ".asdf .bun/bin .cargo/bin .deno/bin .fnm .local/bin .local/lib .local/pipx " +
  ".local/share/fnm .local/share/mise .local/share/pipx .local/share/pnpm " +
  ".local/share/uv/python .local/share/uv/tools .npm-global/bin .npm-global/lib .nvm .pyenv " +
  ".rbenv .rustup .sdkman/candidates .volta/bin .volta/tools go/bin"
).split(" ");

/** A Node outside the system: only itself and its package managers. */
const NODE_PARTS = [
  "bin/npm",
  "bin/npx",
  "bin/corepack",
  "lib/node_modules/npm",
  "lib/node_modules/corepack",
];

/** Files with keys next to programs. */
const SECRET_NAMES = new Set(
  ".npmrc npmrc .yarnrc.yml pip.conf .pypirc .netrc .env .git-credentials credentials credentials.toml auth.json".split(
    " ",
  ),
);
/** Large, and without secrets. */
const WITHOUT_SECRETS = new Set("bin lib lib64 include share src node_modules shims".split(" "));
const MAX_DEPTH = 5;

export function findToolRoots(home: string | undefined): string[] {
  const inHome = home === undefined ? [] : HOME_TOOL_FOLDERS.map((name) => join(home, name));
  const node = realpathSync(process.execPath);
  const prefix = dirname(dirname(node));
  const ofNode = node === `${prefix}/bin/node` ? NODE_PARTS.map((name) => join(prefix, name)) : [];
  const roots = [...inHome, node, ...ofNode].filter((path) => existsSync(path));
  return roots.filter(
    (root, index) =>
      roots.indexOf(root) === index &&
      !roots.some((other) => other !== root && isInside(root, other)),
  );
}

/** Secrets are covered by /dev/null. npm finds itself through its link. */
export function toolRootArguments(toolRoots: readonly string[]): string[] {
  const shown = toolRoots.flatMap((path) =>
    lstatSync(path).isSymbolicLink() && statSync(path).isFile()
      ? ["--symlink", readlinkSync(path), path]
      : ["--ro-bind", path, path],
  );
  const secrets = toolRoots.flatMap((root) => findSecrets(root, MAX_DEPTH));
  return [...shown, ...secrets.flatMap((path) => ["--ro-bind", "/dev/null", path])];
}

function findSecrets(folder: string, depth: number): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return SECRET_NAMES.has(entry.name) ? [path] : [];
    const isSearched = entry.isDirectory() && !WITHOUT_SECRETS.has(entry.name) && depth > 0;
    return isSearched ? findSecrets(path, depth - 1) : [];
  });
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A file, or unreadable.
    return [];
  }
}
