// The environment of a command, built from an allow list: no key or token of this process gets in.
import { existsSync } from "node:fs";
import { join } from "node:path";

const INHERITED_NAMES = ["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"];
const INHERITED_PREFIX = "LC_";

/** Calls may set these although the rules below match them. */
const HARMLESS_NAMES = new Set(
  (
    "CARGO_TERM_COLOR CI COLORTERM COLUMNS DEBIAN_FRONTEND DEBUG FORCE_COLOR GOARCH GOOS HOST " +
    "LANG LANGUAGE LINES LOG_LEVEL NODE_ENV NO_COLOR PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT " +
    "PORT PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTHONDONTWRITEBYTECODE PYTHONIOENCODING " +
    "PYTHONUNBUFFERED PYTHONUTF8 RUST_BACKTRACE RUST_LOG TERM TZ"
  ).split(" "),
);

const HARMLESS_PREFIXES = ["LC_"];

/** Variables that a shell, loader, compiler or pager acts on. */
const STEERING_NAMES = new Set(
  (
    "_ AR AS CC CPP CXX DISPLAY DISTCC_HOSTS EDITOR ENV FC FCEDIT FIGNORE FPATH GCC GLOBIGNORE HISTFILE HOME " +
    "HOSTALIASES HOSTFILE IFS INPUTRC LD LESS LESSOPEN LESSCLOSE LEX LOCALDOMAIN LOGNAME LUA_CPATH LUA_PATH " +
    "MAIL MAILCAPS MAILPATH MAKE MANPAGER MANPATH NM OBJCOPY OLDPWD OPTARG PAGER PATH PATHEXT PERLLIB PROMPT " +
    "PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 PWD RANLIB RES_OPTIONS RSH RUBYLIB RUBYOPT SHELL SHELLOPTS SHLVL STRIP " +
    "SUDO_ASKPASS TAR TCLLIBPATH TEMP TERMCAP TERMINFO TERMINFO_DIRS TEXINPUTS TMP TMPDIR TNS_ADMIN USER " +
    "VIMINIT VISUAL WATCH WGETRC WINDOWID XAUTHORITY YACC ZDOTDIR ALL_PROXY AUTH_TOKEN BROWSER EXINIT BASHRC CURLRC NETRC PHPRC GIT GOBIN GOPATH GOROOT NODE NPM PIP VIMRUNTIME"
  ).split(" "),
);

/** First words of names that belong to one program or service. */
const STEERING_PREFIXES = (
  "ANDROID ANSIBLE ANT APACHE ARTIFACTORY AWS AZURE BABEL BASH BAZEL BOTO BREW BUN BUNDLE CARGO CATALINA CC CGO " +
  "CLASSPATH CLAWDBOT CLAWTOOLS CLOUDSDK CMAKE COMPOSE COMPOSER CONAN CONDA COREPACK CORECLR COR CPAN CRYSTAL CURL " +
  "CXX DART DBUS DENO DOCKER DOTNET DYLD ELECTRON ELIXIR EMACS ERL ESLINT FISH FLUTTER FZF GCC GCLOUD GCONV GEM " +
  "GETCONF GH GHC GIO GIT GITHUB GITLAB GLIBC GNUPG GO GOOGLE GPG GRADLE GREP GROOVY GST GTK GUILE GVIM HELM HEX " +
  "HG HOMEBREW INFOPATH IPYTHON JAR JAVA JDK JEST JRUBY JULIA JUPYTER JVM KDE KOTLIN KRB5 KUBE " +
  "KUBECONFIG LD LDAP LESS LIBPATH LIBRARY LLVM LOCPATH LUA M2 MAKE MALLOC MAN MAVEN MIX MOCHA MONO MSBUILD MVN " +
  "NIX NLSPATH NODE NPM NUGET NVIM NVM OBJC OCAML ODBC OPENCLAW OPENSSL OTEL PERL PERL5 PG PHP PIP PIPENV PIPX PKG PLAYWRIGHT PNPM " +
  "POETRY POLARS POSH POWERSHELL PROMPT PSQL PULUMI PUPPETEER PY PYENV PYTEST PYTHON QT R RBENV READLINE RI RUBY RUST RUSTC RUSTUP " +
  "RVM SASS SBT SCALA SHLIB SOCKS SPARK SQLITE SSH SSL SSLKEYLOGFILE STARSHIP SUDO SVN SWIFT SYSTEMD TCL TERRAFORM TEX TF " +
  "TMUX TOOLCHAIN TS TSX TURBO UV VAGRANT VAULT VIM VIRTUAL VIRTUALENV VOLTA VSCODE WGET WINE XDG XML YARN ZSH"
).split(" ");

/** Last words that name a program, a place of code or a key. */
const STEERING_SUFFIXES = (
  "AGENT ASKPASS BUNDLE CA CAFILE CAPATH CERT CERTS CMD COMMAND COMPILER CONFIG CPATH DIR DIRECTORY DIRS DRIVER DYLIB EDITOR ENTRYPOINT EXE EXEC " +
  "EXECPATH FILTER FLAGS HOOK HOOKS HOME INIT INCLUDE INDEX INTERPRETER JAR LAUNCHER LIB LIBRARY LINKER LOADER MIRROR MODULE MODULES OPTIONS OPTS " +
  "PAGER PATH PLUGIN PLUGINS PRELOAD PROFILE PROGRAM PROXY RC REGISTRY REQUIRE ROOT RUNNER SCRIPT SHELL SOCK STARTUP WRAPPER"
).split(" ");

const FLAGS_SHAPE = /(?:FLAGS|OPTS|PROXY|PATH|PRELOAD)$/;
/** In each command's environment, so that its processes can be found. */
export const MARKER_NAME = "CLAWTOOLS_RUN";
export const MARKER_BYTES = 12;
const TERMINAL_KIND = "xterm-256color";
const NO_TERMINAL_KIND = "dumb";
/** At depth 0 bash takes a socket as input for a remote login and reads .bashrc. */
const SHELL_DEPTH = "2";
const TEMPORARY_NAME = "TMPDIR";
const SANDBOX_TEMPORARY = "/tmp";
const DEFAULT_LANGUAGE = "C.UTF-8";

interface ChildEnvironmentRequest {
  readonly inherited: Readonly<Record<string, string>>;
  readonly searchPath: readonly string[];
  readonly home: string | undefined;
  readonly isSandbox: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
  readonly call: Readonly<Record<string, string>>;
  readonly marker: string;
}

export function childEnvironment(request: ChildEnvironmentRequest): Record<string, string> {
  const { inherited, isSandbox, home } = request;
  return {
    LANG: DEFAULT_LANGUAGE,
    ...inherited,
    PATH: request.searchPath.join(":"),
    ...(home === undefined ? {} : { HOME: home }),
    ...(isSandbox ? { [TEMPORARY_NAME]: SANDBOX_TEMPORARY } : {}),
    SHELL: "/bin/sh",
    SHLVL: SHELL_DEPTH,
    TERM: request.isTerminal ? TERMINAL_KIND : NO_TERMINAL_KIND,
    ...request.variables,
    ...request.call,
    [MARKER_NAME]: request.marker,
  };
}

export function inheritedEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  declaredNames: readonly string[],
): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue;
    const isAllowed = INHERITED_NAMES.includes(name) || name.startsWith(INHERITED_PREFIX);
    if (isAllowed || name === TEMPORARY_NAME || declaredNames.includes(name)) taken[name] = value;
  }
  return taken;
}

/** Whether a variable could make a program run or load something else. */
export function steers(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS_NAMES.has(name) || HARMLESS_PREFIXES.some((start) => name.startsWith(start))) {
    return false;
  }
  if (STEERING_NAMES.has(upper) || FLAGS_SHAPE.test(upper)) return true;
  const words = upper.split("_");
  const first = words[0] ?? "";
  const last = words.at(-1) ?? "";
  if (STEERING_SUFFIXES.includes(last)) return true;
  return STEERING_PREFIXES.some(
    (prefix) => first === prefix || (prefix.length > 3 && first.startsWith(prefix)),
  );
}

const NAMES = (
  ".local/bin .cargo/bin .bun/bin .deno/bin .npm-global/bin .pyenv/shims .rbenv/shims " +
  ".volta/bin .asdf/shims .local/share/mise/shims go/bin"
).split(" ");

export function findToolFolders(home: string | undefined): readonly string[] {
  if (home === undefined) return [];
  return NAMES.map((name) => join(home, name)).filter((folder) => existsSync(folder));
}
