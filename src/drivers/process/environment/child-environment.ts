// The whole environment of a command, made from an allow list: nothing else of this process gets
// into it, no key and no token, and no file of the workspace is read for it.

import { INHERITED_NAMES, INHERITED_PREFIX } from "./steering-names.js";

/** In each command's environment, so that what it left behind can be found. */
export const MARKER_NAME = "CLAWTOOLS_RUN";
export const MARKER_BYTES = 12;
const TERMINAL_KIND = "xterm-256color";
const NO_TERMINAL_KIND = "dumb";
/** bash takes an input that is a socket for a login from afar and reads .bashrc, but not at depth. */
const SHELL_DEPTH = "2";
const SANDBOX_TEMPORARY = "/tmp";
const DEFAULT_LANGUAGE = "C.UTF-8";

export interface ChildEnvironmentRequest {
  /** Variables of this process, to take the allowed ones from. */
  readonly own: Readonly<Record<string, string | undefined>>;
  readonly searchPath: readonly string[];
  readonly home: string | undefined;
  readonly isSandbox: boolean;
  readonly isTerminal: boolean;
  /** Further names to take from this process, as its owner declared them. */
  readonly declaredNames: readonly string[];
  /** Already checked. */
  readonly call: Readonly<Record<string, string>>;
  readonly marker: string;
}

export function childEnvironment(request: ChildEnvironmentRequest): Record<string, string> {
  const { own, isSandbox, home } = request;
  const temporary = isSandbox ? SANDBOX_TEMPORARY : own.TMPDIR;
  return {
    LANG: DEFAULT_LANGUAGE,
    ...inherited(request),
    PATH: request.searchPath.join(":"),
    ...(home === undefined ? {} : { HOME: home }),
    ...(temporary === undefined ? {} : { TMPDIR: temporary }),
    SHELL: "/bin/sh",
    SHLVL: SHELL_DEPTH,
    TERM: request.isTerminal ? TERMINAL_KIND : NO_TERMINAL_KIND,
    ...request.call,
    [MARKER_NAME]: request.marker,
  };
}

function inherited({ own, declaredNames }: ChildEnvironmentRequest): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue;
    const isAllowed = INHERITED_NAMES.includes(name) || name.startsWith(INHERITED_PREFIX);
    if (isAllowed || declaredNames.includes(name)) taken[name] = value;
  }
  return taken;
}
