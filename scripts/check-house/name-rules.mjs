// File and folder names: kebab-case, tool ids under tools, and no name that says nothing.
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const TOOL_ID = /^[a-z][a-z0-9_-]*$/;
const EMPTY_NAME =
  /^types$|(?:^|-)(?:utils?|helpers?|common|shared|misc|manager|service|impl|v\d+)$/;

export function nameRules({ path }) {
  const parts = path.split("/");
  const words = parts.map((part, index) =>
    index === parts.length - 1 ? part.split(".")[0] : part,
  );
  const faults = words.flatMap((word, index) => {
    const isToolId = parts[1] === "tools" && index === 2 && index < parts.length - 1;
    return judgeName({ word, isToolId });
  });
  return faults.map((fault) => ({ path, line: 1, ...fault }));
}

function judgeName({ word, isToolId }) {
  if (isToolId) {
    const message = `"${word}" is not a tool id: a small letter, then small letters, digits, _ or -`;
    return TOOL_ID.test(word) ? [] : [{ rule: "name", message }];
  }
  if (!KEBAB.test(word)) return [{ rule: "name", message: `"${word}" is not kebab-case` }];
  if (!EMPTY_NAME.test(word)) return [];
  return [{ rule: "empty-name", message: `"${word}" says nothing: name what it does` }];
}
