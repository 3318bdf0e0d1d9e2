// What models call the one path of a file tool.

export const PATH_ALIASES = {
  file_path: "path",
  filename: "path",
  file: "path",
  target_file: "path",
  absolute_path: "path",
} as const;
