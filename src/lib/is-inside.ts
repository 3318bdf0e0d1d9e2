// Whether one path is at or below another. Both are absolute and plain: no "..", no "//".

export function isInside(path: string, folder: string): boolean {
  if (path === folder || folder === "/") return true;
  return path.startsWith(`${folder}/`);
}
