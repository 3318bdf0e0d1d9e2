// Node itself, and the packages that are loaded only when they are needed.

import { loadPackage, type PackageName } from "../../lib/system/load-package.js";
import type { Finding } from "./finding.js";

const MIN_NODE = [20, 19] as const;

export interface OptionalPackage {
  readonly name: PackageName;
  readonly use: string;
}

/** The optional packages of package.json, and what each is for. */
export const PACKAGES: readonly OptionalPackage[] = [
  { name: "@lydell/node-pty", use: "commands in a terminal (`pty`)" },
  { name: "@photostructure/sqlite", use: "state: undo, the journal, approvals and the memory" },
  { name: "playwright-core", use: "the browser (`browser`)" },
  { name: "sharp", use: "images that are read" },
];

type Load = (name: PackageName) => unknown;

/** `load` throws for a package that is not there. */
export function checkNode(load: Load = loadPackage): Finding[] {
  const packages = PACKAGES.flatMap((one) => checkPackage(one, load));
  return [checkVersion(process.versions.node), ...packages];
}

function checkVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isEnough) return { area: "node", level: "ok", what: `Node ${version}.` };
  return {
    area: "node",
    level: "broken",
    what: `Node ${version} is older than ${MIN_NODE.join(".")}.`,
    why: "clawtools is built for newer ones, and parts of it fail here.",
    mend: `Install Node ${MIN_NODE.join(".")} or newer.`,
  };
}

function checkPackage({ name, use }: OptionalPackage, load: Load): Finding[] {
  try {
    load(name);
    return [];
  } catch {
    // Whatever keeps it from loading, the answer is to install it again.
    return [
      {
        area: "node",
        level: "warning",
        what: `The package ${name} cannot be loaded.`,
        why: `It is for ${use}; without it that answers \`unavailable\`.`,
        mend: `npm install ${name}`,
      },
    ];
  }
}
