// Packages that are loaded when they are needed: none is forgotten, and each says what it is for.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkNode, PACKAGES } from "./check-system.js";

const manifest: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
);
const optional = Object.keys(manifest.optionalDependencies);

it("looks at every optional package", () => {
  expect(PACKAGES.map(({ name }) => name).sort()).toEqual(optional.sort());
});

it("finds those that are installed", () => {
  expect(checkNode()).toHaveLength(1);
});

it("says of each that cannot be loaded what it is for, and how it is installed", () => {
  const missing = (name: string) => {
    throw new Error(`no ${name}`);
  };
  const [node, ...findings] = checkNode(missing);
  expect(node?.what).toContain(process.versions.node);
  expect(findings.map(({ level }) => level)).toEqual(optional.map(() => "warning"));
  expect(findings.map(({ remedy }) => remedy).sort()).toEqual(
    optional.map((name) => `npm install ${name}`).sort(),
  );
  for (const { why } of findings) expect(why).toMatch(/^It is for .{10,}/);
});
