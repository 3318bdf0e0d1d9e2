// A project that has installed this library where its agent works: what the library has yet to load
// cannot be changed there, neither by a command in the sandbox nor by a file tool.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DIST_DIR, PROJECT_DIR, runNode } from "../fakes/run-node.js";

const PACKAGE = "node_modules/clawtools";

const PLANTED = [
  "node_modules/canvas/index.js",
  "node_modules/undici/index.js",
  "node_modules/linkedom/package.json",
  "node_modules/@mozilla/readability/index.js",
  "node_modules/mine2/index.js",
  "node_modules/canvas.js",
  "node_modules/node_modules/canvas/index.js",
  "Node_Modules/canvas/index.js",
  "src/../node_modules/canvas/index.js",
  `${PACKAGE}/node_modules/typebox/package.json`,
  `${PACKAGE}/dist/node_modules/canvas/index.js`,
];

const PROGRAM = `
import { createToolkit } from "clawtools";
const toolkit = createToolkit({
  root: process.argv[2],
  stateDir: false,
  config: { tools: { exec: { sandbox: "bwrap" } } },
});
const answers = [];
for (const [name, args] of JSON.parse(process.argv[3])) {
  const { content } = await toolkit.invoke({ id: "call_" + answers.length, name, arguments: args });
  answers.push(content.map((block) => block.text).join(""));
}
await toolkit.close();
console.log(JSON.stringify(answers));
`;

function installInProject(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "own-code-project-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, PACKAGE), { recursive: true });
  cpSync(DIST_DIR, join(root, PACKAGE, "dist"), { recursive: true });
  cpSync(join(PROJECT_DIR, "package.json"), join(root, PACKAGE, "package.json"));
  cpSync(join(PROJECT_DIR, "node_modules/typebox"), join(root, "node_modules/typebox"), {
    recursive: true,
  });
  writeFileSync(join(root, "program.mjs"), PROGRAM);
  writeFileSync(join(root, "note.txt"), "old\n");
  return root;
}

it("leaves its code and that of its packages as they are, and the rest of the project free", async () => {
  const root = installInProject();
  const entry = join(root, PACKAGE, "dist/index.js");
  const before = readFileSync(entry, "utf8");
  const tries = [
    `echo planted >> ${PACKAGE}/dist/index.js`,
    `echo planted > ${PACKAGE}/dist/chunks/planted.js`,
    "echo planted >> node_modules/typebox/package.json",
    `mv ${PACKAGE} node_modules/other`,
    "mv node_modules other",
    `rm -rf ${PACKAGE}`,
  ];
  const command = tries.map((one) => `( ${one} ) 2>/dev/null && echo 'done: ${one}'`).join("; ");
  const calls = [
    ["exec", { command: `${command}; echo new > note.txt; mkdir node_modules/mine; echo tried` }],
    ["write", { path: `${PACKAGE}/dist/index.js`, content: "planted" }],
    ["write", { path: "node_modules/typebox/package.json", content: "{}" }],
    // Missing optional packages, undeclared ones, and nearer ones would be loaded instead.
    ...PLANTED.map((path) => ["write", { path, content: "planted" }]),
    ["write", { path: "vendor/canvas/index.js", content: "" }],
  ];
  const { stdout, stderr } = await runNode([
    join(root, "program.mjs"),
    root,
    JSON.stringify(calls),
  ]);
  expect(stderr).toBe("");
  const answers: unknown = JSON.parse(stdout);
  expect(answers).toEqual([
    expect.stringMatching(/^(?:Warning: [^\n]*\n+)?tried\s*$/),
    expect.stringContaining("protected"),
    expect.stringContaining("protected"),
    ...PLANTED.map(() => expect.stringContaining("protected")),
    expect.stringContaining("Wrote 0 bytes"),
  ]);
  for (const path of PLANTED) expect(existsSync(join(root, path)), path).toBe(false);
  expect(readFileSync(entry, "utf8")).toBe(before);
  expect(readFileSync(join(root, "note.txt"), "utf8")).toBe("new\n");
});
