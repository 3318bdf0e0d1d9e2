// The documented file port: four methods that any storage can offer (folder, container, memory,
// remote), and further ones that a bridge may offer and tools probe for.

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

/** A name in a folder. */
export interface FsEntry {
  readonly name: string;
  readonly type: FsStat["type"];
  /** A symbolic link; `type` is that of its target. */
  readonly isLink?: true;
}

/** One opened file: what is read from it is one file, whatever its path comes to mean. */
export interface FsFile {
  readonly stat: FsStat;
  /** Fills `into` from `position` on; fewer bytes than fit, or 0, only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export interface FsBridge {
  /** `null` when nothing is there. */
  stat(path: FsPath): Promise<FsStat | null>;
  /** Bridges without types may give other bytes, or text: anyone who reads through one uses `toBytes`. */
  readFile(path: FsPath): Promise<Buffer>;
  /** Makes the folder and all its parents. */
  mkdirp(path: FsPath): Promise<void>;
  /** Makes missing parents. */
  writeFile(path: FsPath & { data: string | Buffer }): Promise<void>;

  /** Opens a regular file for reading in parts; anyone who opened it closes it. */
  openFile?(path: FsPath): Promise<FsFile>;
  /** At most `limit` entries of a folder, in no order. */
  list?(path: FsPath & { limit: number }): Promise<FsEntry[]>;
  /** Removes a file or a link, never a folder. */
  remove?(path: FsPath): Promise<void>;
  /** Removes a folder that is empty; throws when it is not, or is none. */
  removeFolder?(path: FsPath): Promise<void>;
  /** Gives a file another name, makes missing parents, replaces a file that is there. */
  rename?(path: FsPath & { to: string }): Promise<void>;
  /**
   * Runs `work` while no other call of this process reads or changes these paths, whatever their
   * spelling. `work` gets a bridge for its own use of them.
   */
  exclusive?<T>(paths: readonly FsPath[], work: (bridge: FsBridge) => Promise<T>): Promise<T>;
}
