// The coverage step of `npm run check`: what it says when the property tests reach enough branches,
// when they do not, and when they fail. The project is a stand-in, vitest is real.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const LIMIT_MS = 240_000;

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-coverage-"));
  symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
  cpSync(join(PROJECT, "scripts"), join(root, "scripts"), { recursive: true });
  write("package.json", '{ "type": "module" }\n');
  write("src/core/policy/sign.mjs", "export const sign = (n) => (n < 0 ? -1 : 1);\n");
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The step with one property test that has these expectations. */
function measure(...expectations: readonly string[]) {
  write(
    "test/policy/policy.campaign.test.ts",
    `import { expect, it } from "vitest";
import { sign } from "../../src/core/policy/sign.mjs";
it("gives the sign", () => {
  ${expectations.join("\n  ")}
});
`,
  );
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "scripts", "check-coverage.mjs")],
    { cwd: root, encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  return { status, stdout };
}

const POSITIVE = "expect(sign(3)).toBe(1);";
const NEGATIVE = "expect(sign(-3)).toBe(-1);";

it("passes with the figure when every branch is reached, and leaves no file", {
  timeout: LIMIT_MS,
}, () => {
  const { status, stdout } = measure(POSITIVE, NEGATIVE);
  expect(stdout).toMatch(
    /src\/core\/policy: 100 % of the branches reached by its property tests\n$/,
  );
  expect(status).toBe(0);
  expect(readdirSync(join(root, ".cache"))).toEqual([]);
});

it("fails below the minimum, with the figure and what to do", { timeout: LIMIT_MS }, () => {
  const { status, stdout } = measure(POSITIVE);
  expect(stdout).toMatch(
    /reach \d+(?:\.\d+)? % of the branches of src\/core\/policy;\nat least 95 %/,
  );
  expect(stdout).toContain("sign.mjs");
  expect(stdout).toContain("let test/policy/random-policy.ts make cases that go there");
  expect(status).toBe(1);
});

it("fails without a figure when a property test fails", { timeout: LIMIT_MS }, () => {
  const { status, stdout } = measure(POSITIVE, "expect(sign(-3)).toBe(1);");
  expect(stdout).toContain("The property tests of the policy failed");
  expect(status).toBe(1);
});
