// The documented file port: four methods that any storage can offer (folder, container, memory, remote).

export interface FsStat {
  type: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  mtimeMs: number;
}

/** Relative paths are relative to `cwd`, and to the bridge's root when `cwd` is absent. */
export interface FsPath {
  filePath: string;
  cwd?: string;
  signal?: AbortSignal;
}

export interface FsBridge {
  /** `null` when nothing is there. */
  stat(path: FsPath): Promise<FsStat | null>;
  readFile(path: FsPath): Promise<Buffer>;
  /** Makes the folder and all its parents. */
  mkdirp(path: FsPath): Promise<void>;
  /** Makes missing parents. */
  writeFile(path: FsPath & { data: string | Buffer }): Promise<void>;
}
