// Which profile a program has, and which programs can start others or read and write anything.

import { wordSet } from "../../../lib/word-set.js";
import { type PathUse, type PlanStep, SYSTEM_FOLDERS } from "../plan.js";
import { FILTERS, SCRIPT_PROFILES } from "./filters.js";
import { git } from "./git.js";
import {
  type ProfileReading,
  type ProgramProfile,
  toProfile,
  toReads,
  unknownArguments,
  ZONED_DATE,
} from "./profile.js";
import { readOptions } from "./read-options.js";
import { READERS } from "./readers.js";

const echo: ProgramProfile = { names: ["echo", "printf"], read: () => ({ ok: true, paths: [] }) };

const test: ProgramProfile = {
  names: ["test", "["],
  read: (args) => ({
    ok: true,
    paths: toReads(args.filter((word) => !/^(?:-.*|[!()\]]|[!=]?=|)$/.test(word))),
  }),
};

const DATE_OPTIONS = {
  short: "uRd:r:I::",
  long: "utc universal rfc-email date= rfc-3339= reference= iso-8601=?",
} as const;

const date: ProgramProfile = {
  names: ["date"],
  read(args) {
    const reading = readOptions(args, DATE_OPTIONS);
    if (!reading.ok) return reading;
    const { options, operands } = reading;
    if (operands.some((word) => !word.startsWith("+"))) {
      return unknownArguments("an operand without + sets the clock");
    }
    if (options.some(({ value = "" }) => ZONED_DATE.test(value))) {
      return unknownArguments("a time zone in a date may name a file");
    }
    const files = options.filter(({ name }) => name === "r" || name === "reference");
    return { ok: true, paths: toReads(files.map(({ value = "" }) => value)) };
  },
};

const PS_STYLES = [/^-[AaefFljw]+$/, /^-?[auxwl]+$/] as const;

const ps: ProgramProfile = {
  names: ["ps"],
  read(args) {
    const isKnown = PS_STYLES.some((style) => args.every((word) => style.test(word)));
    if (isKnown) return { ok: true, paths: [] };
    return unknownArguments("these options may show the environment of other programs");
  },
};

const RUNTIMES: readonly ProgramProfile[] = [
  toRuntime("node nodejs bun", "--version -v --help -h"),
  toRuntime("deno", "--version -V --help -h"),
  // Its -v begins to read a program.
  toRuntime("python", "--version -V --help -h"),
  toRuntime("perl ruby php", "--version -v --help -h"),
  toRuntime("lua", "-v"),
];

const WORD_PROFILES: readonly ProgramProfile[] = [echo, test, date, ps, ...RUNTIMES];

const PLAIN = wordSet(
  "! ( ) , -a -and -o -or -not -true -false -print -print0 -ls " +
    "-prune -quit -depth -d -mount -xdev -empty -readable -writable -executable " +
    "-nouser -nogroup -daystart -noleaf -warn -nowarn -noignore_readdir_race",
);

const WITH_VALUE = wordSet(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex " +
    "-regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -perm -user -group " +
    "-uid -gid -maxdepth -mindepth -links -inum -used -fstype -printf -newermt -newerat -newerct",
);

const WITH_PATH = new Set(["-newer", "-anewer", "-cnewer", "-samefile", "-newermm", "-neweraa"]);

const find: ProgramProfile = { names: ["find"], read };

const PROFILES: ReadonlyMap<string, ProgramProfile> = new Map(
  [
    ...[...READERS, ...FILTERS].map(toProfile),
    ...WORD_PROFILES,
    ...SCRIPT_PROFILES,
    find,
    git,
  ].flatMap((profile) => profile.names.map((name) => [name, profile] as const)),
);

const MULTI_CALL = new Set(["busybox", "toybox", "coreutils"]);

const WRAPPERS =
  "env xargs parallel nice ionice chrt taskset nohup timeout stdbuf setsid time watch strace ltrace gdb lldb valgrind flock script expect unshare nsenter setpriv prlimit chroot runuser su sudo doas pkexec bwrap firejail systemd-run at batch crontab busybox toybox exec command run-parts start-stop-daemon ld-linux-x86-64.so.2 ld.so xvfb-run dbus-run-session faketime fakeroot proxychains torsocks unbuffer rlwrap screen tmux entr watchexec nodemon pm2 forever sg newgrp open xdg-open wine setarch linux32 linux64 i386 x86_64 uname26 choom uclampset coresched runcon numactl perf ldd ssh-agent dbus-launch systemd-inhibit systemd-nspawn cgexec aa-exec ip dtach daemonize pager editor sensible-pager sensible-editor sensible-browser run-mailcap see edit compose";

const INTERPRETERS =
  "sh bash dash zsh ksh mksh ash fish csh tcsh rbash pwsh node nodejs deno bun tsx ts-node python pypy perl ruby irb php lua luajit tclsh wish expect osascript guile racket scheme elixir iex erl escript julia octave r rscript groovy scala kotlin java jshell dotnet swift gjs";

const LANGUAGES = "awk mawk gawk nawk sed gsed jq m4 bc dc sqlite3 psql mysql mongosh redis-cli";

const BUILDERS =
  "make gmake cmake ninja meson bazel gradle mvn ant rake cargo rustc go gcc g++ cc c++ clang tcc ld npm npm-cli.js npx npx-cli.js pnpm pnpx yarn corepack pip pip3 pipx uv uvx poetry conda bundle gem composer brew apt apt-get dpkg yum dnf pacman apk snap docker podman kubectl helm terraform ansible ansible-playbook vagrant tox nox pytest jest vitest mocha eslint prettier webpack vite esbuild rollup parcel tsc turbo nx lerna just task mage sbt lein stack cabal ghc runghc ocaml dune mix rebar3 zig nim crystal dart flutter phpunit rspec swiftc xcodebuild fastlane git hg svn gh";

const REMOTE =
  "ssh scp sftp rsync curl wget nc ncat netcat socat telnet ftp lftp openssl gpg mail sendmail aws gcloud az rclone";

const EDITORS =
  "vi vim vimdiff rvim rview nvim view ex ed emacs nano pico less more most man info lynx w3m mc code subl bat batcat zcat zless zmore zgrep xzcat bzcat";

const WRITERS =
  "cp mv rm ln rmdir unlink install dd tee truncate shred split csplit chmod chown chgrp chattr setfacl mkfifo mknod mktemp patch tar gtar bsdtar cpio ar zip unzip gzip gunzip bzip2 xz zstd 7z mount umount kill pkill killall reboot shutdown systemctl service useradd usermod passwd visudo iptables sysctl modprobe insmod find fd sort xxd convert ffmpeg";

const STEERING: ReadonlySet<string> = new Set(
  [WRAPPERS, INTERPRETERS, LANGUAGES, BUILDERS, REMOTE, EDITORS, WRITERS].flatMap((names) =>
    names.split(" "),
  ),
);

const WRAPPER_NAMES: ReadonlySet<string> = new Set(WRAPPERS.split(" "));
const INTERPRETER_NAMES: ReadonlySet<string> = new Set(INTERPRETERS.split(" "));
const SHIM = /\/(?:shims|corepack)\/|\/(?:mise|rtx|asdf|volta-shim|proto-shim|rustup)$/;
const SYSTEM = /^\/(?:usr\/(?!local\/)|s?bin\/|lib\w*\/|nix\/store\/|snap\/)|\/Cellar\//;
const INSTALLED = /^\/(?:usr\/local|opt)\//;

const VARIANT =
  /[.-](?:basic|tiny|nox|gtk\d?|athena|static|dbg|debug|openbsd|traditional|real|distrib|exe)$/;

const MACHINE = /^[a-z0-9_]+-(?:[a-z0-9]+-)*(?:gnu|musl)[a-z0-9]*-/;
const VERSION = /^([a-z][a-z+_-]*?)-?[0-9][0-9.]*$/;

/** `file` is what is started, `path` what it is when links are resolved. */
export interface ProgramNames {
  readonly file: string;
  readonly path: string;
}

export function namesOf({ facts, program }: PlanStep): ProgramNames {
  return { file: facts.file, path: program.path };
}

/** What the profile of its program says about its arguments; undefined without a profile. */
export function readStep(step: PlanStep): ProfileReading | undefined {
  return findProfile(namesOf(step))?.read(step.argv.slice(1));
}

export function findProfile({ file, path }: ProgramNames): ProgramProfile | undefined {
  const real = baseName(path);
  if (isShim({ file, path })) return undefined;
  if (MULTI_CALL.has(real)) return PROFILES.get(baseName(file));
  // Elsewhere anybody may have made the link, and called it what it is not.
  const isOfSystem = SYSTEM_FOLDERS.includes(file.slice(0, file.lastIndexOf("/")));
  return profileOf(real) ?? (isOfSystem ? profileOf(baseName(file)) : undefined);
}

export function isSteering(names: ProgramNames): boolean {
  return isLike(names, STEERING) || isShim(names);
}

export function isInstalled({ path }: ProgramNames): boolean {
  return SYSTEM.test(path) || INSTALLED.test(path);
}

export function isShim({ file, path }: ProgramNames): boolean {
  return SHIM.test(file) || SHIM.test(path);
}

export function isWrapper(names: ProgramNames): boolean {
  return isLike(names, WRAPPER_NAMES);
}

export function isInterpreter(names: ProgramNames): boolean {
  return isLike(names, INTERPRETER_NAMES);
}

function isLike({ file, path }: ProgramNames, set: ReadonlySet<string>): boolean {
  const plain = { file: withoutVariant(file), path: withoutVariant(path) };
  return isNamed({ file, path }, set) || isNamed(plain, set);
}

function withoutVariant(path: string): string {
  return baseName(path).replace(VARIANT, "").replace(MACHINE, "");
}

export function isNamed({ file, path }: ProgramNames, set: ReadonlySet<string>): boolean {
  const names = [baseName(path), baseName(file)];
  return names.some((name) => set.has(name) || set.has(withoutVersion(name)));
}

function profileOf(name: string): ProgramProfile | undefined {
  return PROFILES.get(name) ?? PROFILES.get(withoutVersion(name));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function withoutVersion(name: string): string {
  return VERSION.exec(name)?.[1] ?? name;
}

function read(args: readonly string[]): ProfileReading {
  const start = args.findIndex((word) => /^[-(!,)]/.test(word) && word !== "-P");
  const places = start === -1 ? args : args.slice(0, start);
  const tests = start === -1 ? [] : args.slice(start);
  const paths: PathUse[] = [...toReads(places.filter((word) => word !== "-P"))];
  for (let index = 0; index < tests.length; index += 1) {
    const word = tests[index] ?? "";
    if (PLAIN.has(word)) continue;
    const value = tests[index + 1];
    const isKnown = WITH_VALUE.has(word) || WITH_PATH.has(word);
    if (!isKnown || value === undefined) {
      return unknownArguments(`${word} is not one of the tests that only look`);
    }
    if (ZONED_DATE.test(value)) return unknownArguments(`"${value}" may name a file`);
    if (WITH_PATH.has(word)) paths.push({ word: value, use: "read" });
    index += 1;
  }
  return { ok: true, paths };
}

function toRuntime(names: string, questions: string): ProgramProfile {
  const known = questions.split(" ");
  return {
    names: names.split(" "),
    read(args) {
      const [only, ...more] = args;
      const asks = only !== undefined && more.length === 0 && known.includes(only);
      if (asks) return { ok: true, paths: [] };
      return unknownArguments(
        "it runs code, so the entry has to name the arguments with argPattern",
      );
    },
  };
}

/** `steering` and `system`: nothing, because arguments say what it starts, or are not known here. */
export type EntryReach = "profile" | "steering" | "system" | "everything";

export function reachOfEntry(names: ProgramNames): EntryReach {
  if (findProfile(names) !== undefined) return "profile";
  if (isSteering(names)) return "steering";
  return SYSTEM.test(names.path) ? "system" : "everything";
}
