// Where programs are looked for: the folders of the configuration, then those of the system. What the
// environment says does not count, so that what was found is what a child finds.

/** Nothing in them is changed but by who keeps the machine. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
];

export interface SearchPathOptions {
  /** `tools.exec.pathPrepend`; relative ones are below the root. */
  readonly prepend?: readonly string[];
  /** Absolute. */
  readonly root: string;
  /** The folder of the running Node, looked at last. */
  readonly runtimeFolder?: string;
}

export function toSearchPath(options: SearchPathOptions): readonly string[] {
  const { prepend = [], root, runtimeFolder } = options;
  const first = prepend
    .filter((folder) => folder !== "" && !folder.includes(":"))
    .map((folder) => (folder.startsWith("/") ? folder : `${root}/${folder}`));
  const last = runtimeFolder === undefined ? [] : [runtimeFolder];
  return [...new Set([...first, ...SYSTEM_FOLDERS, ...last])];
}
