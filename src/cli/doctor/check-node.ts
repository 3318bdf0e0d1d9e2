// Node itself, and the packages that are loaded only when they are needed.

import { HTTP_PACKAGE } from "../../drivers/net/index.js";
import type { Finding } from "./finding.js";

const MIN_NODE = [20, 19] as const;

export interface OptionalPackage {
  readonly name: string;
  readonly use: string;
  /** Made for one system and one Node: it may be there and yet not load. */
  readonly isNative?: true;
}

/** The optional packages of package.json, and what each is for. */
export const PACKAGES: readonly OptionalPackage[] = [
  { name: "@lydell/node-pty", use: "commands in a terminal (`pty`)", isNative: true },
  { name: "@mozilla/readability", use: "the main text of web pages (`web_fetch`)" },
  {
    name: "@photostructure/sqlite",
    use: "state: undo, the journal, approvals and the memory",
    isNative: true,
  },
  { name: "@xterm/headless", use: "the screen of commands in a terminal" },
  { name: "chardet", use: "web pages in other encodings (`web_fetch`)" },
  { name: "htmlparser2", use: "web pages as text (`web_fetch`)" },
  { name: "linkedom", use: "the main text of web pages (`web_fetch`)" },
  { name: "playwright-core", use: "the browser (`browser`)" },
  { name: "sharp", use: "images that are read", isNative: true },
  { name: HTTP_PACKAGE, use: "everything that asks the network (`web_fetch`, `web_search`)" },
  { name: "unpdf", use: "the text of PDF files (`web_fetch`)" },
];

type Load = (one: OptionalPackage) => Promise<unknown>;

/** `load` rejects for a package that is not there. */
export async function checkNode(load: Load = loadPackage): Promise<Finding[]> {
  const packages = await Promise.all(PACKAGES.map((one) => checkPackage(one, load)));
  return [checkVersion(process.versions.node), ...packages.flat()];
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

async function loadPackage({ name, isNative }: OptionalPackage): Promise<unknown> {
  // The others are only looked for: to load them all takes half a second.
  return isNative ? await import(name) : import.meta.resolve(name);
}

async function checkPackage(one: OptionalPackage, load: Load): Promise<Finding[]> {
  const { name, use } = one;
  try {
    await load(one);
    return [];
  } catch {
    // Whatever keeps it from loading, the answer is to install it anew.
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
