// Node itself, and the packages that are loaded only when they are needed.

import type { Finding } from "./finding.js";

const MIN_NODE = [20, 19] as const;

const PACKAGES = [
  { name: "@photostructure/sqlite", use: "state: undo, the journal and approvals" },
  { name: "sharp", use: "images that are read" },
  { name: "@lydell/node-pty", use: "commands in a terminal (`pty`)" },
  { name: "@xterm/headless", use: "the screen of commands in a terminal" },
] as const;

export async function checkNode(): Promise<Finding[]> {
  const packages = await Promise.all(PACKAGES.map(checkPackage));
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

async function checkPackage({ name, use }: (typeof PACKAGES)[number]): Promise<Finding[]> {
  try {
    await import(name);
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
