// How much `grep` takes in and shows.

export const DEFAULT_HITS = 100;
export const MAX_HITS = 1_000;
export const MAX_CONTEXT = 20;
export const MAX_FILE_MIB = 16;
export const MAX_LINE_CHARS = 500;

/** Endings of file names by the kind of file; any other kind is its own ending. */
export const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ["c", "c,h"],
  ["cpp", "cc,cpp,cxx,h,hh,hpp,hxx"],
  ["csharp", "cs"],
  ["css", "css,scss,sass,less"],
  ["html", "html,htm,vue,svelte"],
  ["js", "js,cjs,mjs,jsx"],
  ["json", "json,jsonc,json5"],
  ["kotlin", "kt,kts"],
  ["markdown", "md,mdx,markdown"],
  ["md", "md,mdx,markdown"],
  ["py", "py,pyi"],
  ["python", "py,pyi"],
  ["ruby", "rb"],
  ["rust", "rs"],
  ["sh", "sh,bash,zsh"],
  ["ts", "ts,cts,mts,tsx"],
  ["typescript", "ts,cts,mts,tsx"],
  ["yaml", "yaml,yml"],
]);
