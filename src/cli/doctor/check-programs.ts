// Programs of the system that tools use: found or not, and what each is for. That of the browser has a
// search of its own.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createClawtools } from "../../toolkit/index.js";
import type { Finding } from "./finding.js";

interface Program {
  readonly name: string;
  /** Names under which it is looked for. */
  readonly names: readonly string[];
  /** The tool that needs it. */
  readonly tool: string;
  readonly use: string;
  readonly mend: string;
}

const PROGRAMS: readonly Program[] = [
  {
    name: "bubblewrap",
    names: ["bwrap"],
    tool: "exec",
    use: "the sandbox of commands",
    mend: "sudo apt-get install bubblewrap",
  },
  {
    name: "espeak-ng",
    names: ["espeak-ng"],
    tool: "tts",
    use: "speech without a service",
    mend: "sudo apt-get install espeak-ng",
  },
  {
    name: "ffmpeg",
    names: ["ffmpeg"],
    tool: "tts",
    use: "sound and video in other formats",
    mend: "sudo apt-get install ffmpeg",
  },
];

export async function checkPrograms(path: string | undefined): Promise<Finding[]> {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  // Asked of the bare registry, where no policy hides that a tool is not built.
  const rows = createClawtools({ catalog: "all" }).tools.explain();
  const missing = new Set(rows.filter(({ code }) => code === "not_built").map(({ id }) => id));
  const [built, unbuilt] = [
    PROGRAMS.filter(({ tool }) => !missing.has(tool)),
    PROGRAMS.filter(({ tool }) => missing.has(tool)),
  ];
  const findings = await Promise.all(
    built.map(async (program) => toFinding(program, await find(program, folders))),
  );
  return [...findings, ...toUnused(unbuilt)];
}

/** They are looked for by nobody yet. */
function toUnused(programs: readonly Program[]): Finding[] {
  if (programs.length === 0) return [];
  const names = programs.map(({ name }) => name).join(", ");
  const tools = [...new Set(programs.map(({ tool }) => `\`${tool}\``))].join(" and ");
  return [
    {
      area: "programs",
      level: "note",
      what: `Not looked for: ${names}. They are for ${tools}, which are not in this version.`,
    },
  ];
}

function toFinding(program: Program, found: string | undefined): Finding {
  const { name, tool, use, mend } = program;
  const purpose = `for \`${tool}\`: ${use}`;
  if (found !== undefined) {
    return { area: "programs", level: "ok", what: `${name} is ${found}; ${purpose}.` };
  }
  const [what, why] = [`${name} is not installed.`, `It is ${purpose}.`];
  return { area: "programs", level: "warning", what, why, mend };
}

async function find({ names }: Program, folders: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      const canRun = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (canRun) return path;
    }
  }
  return undefined;
}
