// Rooms, ranks and doors: look only down, only through the door, never through one's own.
import { lineOf } from "./read-tree.mjs";
import { placeOf, RANKS } from "./rooms.mjs";

export function roomRules(file) {
  const own = placeOf(file.path);
  if (!(own.room in RANKS)) {
    return [{ path: file.path, line: 1, rule: "room", message: `"${own.room}" is not a room` }];
  }
  const faults = file.imports
    .filter(({ target }) => target !== undefined)
    .map((found) => ({ ...judgeImport({ file, own, found }), offset: found.offset }))
    .filter(({ rule }) => rule !== undefined)
    .map(({ rule, message, offset }) => ({
      path: file.path,
      line: lineOf(file.text, offset),
      rule,
      message,
    }));
  return [...faults, ...judgeCompositeIndex(file, own)];
}

function judgeImport({ file, own, found }) {
  const { target } = found;
  if (!target.startsWith("src/")) return judgeOutside({ file, target });
  const other = placeOf(target);
  if (!(other.room in RANKS)) return { rule: "room", message: `"${other.room}" is not a room` };
  if (other.room === own.room) return judgeSameRoom({ file, own, other, found });
  return judgeRank(own, other) ?? judgeDoor({ file, target, other });
}

function judgeOutside({ file, target }) {
  if (file.isTest && target.startsWith("test/")) return undefined;
  return { rule: "outside", message: `src may not import ${target}` };
}

function judgeRank(own, other) {
  const ownRank = RANKS[own.room];
  const otherRank = RANKS[other.room];
  if (otherRank < ownRank || (own.room === "core" && other.room === "lib")) return undefined;
  if (otherRank === ownRank) {
    return { rule: "stranger", message: `${own.room} and ${other.room} are rooms of one rank` };
  }
  const message = `${own.room} (rank ${ownRank}) may not import ${other.room} (rank ${otherRank})`;
  return { rule: "rank", message };
}

function judgeDoor({ file, target, other }) {
  if (file.isTest || other.room === "lib" || other.isDoor) return undefined;
  return { rule: "door", message: `enter ${other.name} through its index.ts, not ${target}` };
}

function judgeSameRoom({ file, own, other, found }) {
  if (file.isTest) return undefined;
  if (own.subRoom !== other.subRoom) return judgeSubRooms({ own, other, target: found.target });
  if (other.inside !== "index.ts") return undefined;
  if (own.room === "tools" && found.isTypeOnly) return undefined;
  return { rule: "own-door", message: `import the file, not the index.ts of ${own.name} itself` };
}

function judgeSubRooms({ own, other, target }) {
  if (own.subRoom && other.subRoom) {
    return { rule: "stranger", message: `${own.name} and ${other.name} are rooms of one rank` };
  }
  if (other.isDoor) return undefined;
  return { rule: "door", message: `enter ${other.name} through its index.ts, not ${target}` };
}

function judgeCompositeIndex(file, own) {
  if (!own.isComposite || own.subRoom || own.inside !== "index.ts") return [];
  const message = `${own.room} has a door in each folder; one above them would load all`;
  return [{ path: file.path, line: 1, rule: "door", message }];
}
