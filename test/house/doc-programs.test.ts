// Every TypeScript block, and the JavaScript programs of the pages that a newcomer reads first,
// compile under `strict` against the types of the package.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR } from "../fakes/run-node.js";

const AMBIENT = join(PROJECT_DIR, "given.d.ts");
const PAGES = [
  "README.md",
  ...readdirSync(join(PROJECT_DIR, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
};
/** Their JavaScript programs are also valid TypeScript. */
const PLAIN_PROGRAMS: ReadonlySet<string> = new Set([
  "README.md",
  "docs/agent.md",
  "docs/apply_patch.md",
  "docs/browser.md",
  "docs/plugins.md",
  "docs/quickstart.md",
  "docs/read.md",
  "docs/sessions.md",
  "docs/toolkit.md",
  "docs/write.md",
  "docs/writing-a-tool.md",
]);
/** What the reader of a page has already where a block shows only a part. */
const GIVEN: Readonly<Record<string, string>> = {
  "docs/network.md": `
    declare const ctx: { net: NonNullable<import("clawtools").ToolContext["net"]> };
    declare const signal: AbortSignal;
    declare const token: string;
    declare function handle(data: unknown): void;
    declare function reconnect(...why: unknown[]): void;`,
  "docs/schemas.md": `
    import { extractToolSchemas } from "clawtools/tools";
    declare const tools: import("clawtools").Tool[];`,
  "docs/store.md": 'declare const store: import("./src/core/ports/store.js").Store;',
  "docs/untrusted-content.md": "declare const page: string;",
};
const TOOLS = 'declare const tools: import("clawtools").Tool[];';
/** A package that is not installed here. */
const PACKAGES = `declare module "@ai-sdk/amazon-bedrock" {
  export function createAmazonBedrock(): (id: string) => import("clawtools/connectors").AiSdkModel;
}`;

interface Block {
  readonly file: string;
  readonly text: string;
}

function readBlocks(page: string): Block[] {
  const text = readFileSync(join(PROJECT_DIR, page), "utf8");
  return [...text.matchAll(/^```(ts|js)\n([\s\S]*?)^```$/gm)].flatMap((found) => {
    const [, language, body = ""] = found;
    const isProgram = PLAIN_PROGRAMS.has(page) && body.startsWith("import ");
    if (language === "js" && !isProgram) return [];
    const line = text.slice(0, found.index).split("\n").length + 1;
    const given =
      body.startsWith("import ") && page === "docs/schemas.md" ? TOOLS : (GIVEN[page] ?? "");
    return [{ file: `${page}:${line}`, text: `${given}\n${body}\nexport {};\n` }];
  });
}

function compile(blocks: readonly Block[]): string[] {
  const sources = new Map([
    [AMBIENT, { file: "given", text: PACKAGES }],
    ...blocks.map(
      (block) => [join(PROJECT_DIR, `${block.file.replace(/[/:]/g, "-")}.mts`), block] as const,
    ),
  ]);
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, language) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...sources.keys()], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const place = sources.get(file?.fileName ?? "")?.file ?? file?.fileName;
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

describe("programs of the docs", () => {
  it("compile under strict", () => {
    const blocks = PAGES.flatMap(readBlocks);
    expect(blocks.length).toBeGreaterThan(20);
    expect(compile(blocks)).toEqual([]);
  });
});
