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
const TEMPORARY_NAME = "TMPDIR";
const SANDBOX_TEMPORARY = "/tmp";
const DEFAULT_LANGUAGE = "C.UTF-8";

export interface ChildEnvironmentRequest {
  /** What commands get of the variables of this process. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly searchPath: readonly string[];
  readonly home: string | undefined;
  readonly isSandbox: boolean;
  readonly isTerminal: boolean;
  /** Already checked. */
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
    ...request.call,
    [MARKER_NAME]: request.marker,
  };
}

/** The allowed ones, and those that the owner of this process declared. */
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
