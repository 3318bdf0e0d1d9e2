// A file of lib earns its place by two users in src; tests are no users.
const MIN_USERS = 2;

export function findIdleLibFiles(sources) {
  const users = new Map();
  for (const { path, imports } of sources.filter(({ isTest }) => !isTest)) {
    for (const target of new Set(imports.map((found) => found.target))) {
      if (target !== path) users.set(target, (users.get(target) ?? 0) + 1);
    }
  }
  return sources
    .filter(({ path, isTest }) => !isTest && path.startsWith("src/lib/"))
    .filter(({ path }) => (users.get(path) ?? 0) < MIN_USERS)
    .map(({ path }) => ({
      path,
      line: 1,
      rule: "lib-users",
      message: `${users.get(path) ?? 0} users; a lib file has at least ${MIN_USERS}`,
    }));
}
