// find: places, and tests that only look. What runs a program, writes a file, removes one or follows
// links is refused, and so is every name that is not listed.

import type { PathUse } from "../plan.js";
import { type ProfileReading, type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { ZONED_DATE } from "./table.js";

const PLAIN = new Set(
  [
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-o",
    "-or",
    "-not",
    "-true",
    "-false",
    "-print",
    "-print0",
    "-ls",
  ]
    .concat("-prune -quit -depth -d -mount -xdev -empty -readable -writable -executable".split(" "))
    .concat("-nouser -nogroup -daystart -noleaf -warn -nowarn -noignore_readdir_race".split(" ")),
);
const WITH_VALUE = new Set(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype"
    .concat(" -size -mtime -atime -ctime -mmin -amin -cmin -perm -user -group -uid -gid -maxdepth")
    .concat(" -mindepth -links -inum -used -fstype -printf -newermt -newerat -newerct")
    .split(" "),
);
const WITH_PATH = new Set(["-newer", "-anewer", "-cnewer", "-samefile", "-newermm", "-neweraa"]);

export const find: ProgramProfile = { names: ["find"], read };

function read(args: readonly string[]): ProfileReading {
  const start = args.findIndex((word) => /^[-(!,)]/.test(word) && word !== "-P");
  const places = start === -1 ? args : args.slice(0, start);
  const tests = start === -1 ? [] : args.slice(start);
  const paths: PathUse[] = [...toReads(places.filter((word) => word !== "-P"))];
  for (let index = 0; index < tests.length; index += 1) {
    const word = tests[index] ?? "";
    if (PLAIN.has(word)) continue;
    const value = tests[index + 1];
    const isKnown = WITH_VALUE.has(word) || WITH_PATH.has(word);
    if (!isKnown || value === undefined) {
      return unknownArguments(`${word} is not one of the tests that only look`);
    }
    if (ZONED_DATE.test(value)) return unknownArguments(`"${value}" may name a file`);
    if (WITH_PATH.has(word)) paths.push({ word: value, use: "read" });
    index += 1;
  }
  return { ok: true, paths };
}
