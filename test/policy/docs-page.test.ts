// docs/policy.md and docs/policy-examples.md: examples leave what they say, tables match the code.
import { readFile } from "node:fs/promises";
import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import { SANDBOX_DEFAULTS, SUBAGENT_DENY } from "../../src/core/policy/build.js";
import type { PolicyWarningCode } from "../../src/core/policy/found.js";
import { LAYER_IDS } from "../../src/core/policy/layer.js";
import { CHANNEL_IDS, ORIGIN_GROUPS, PROFILE_NAMES } from "../../src/core/policy/names.js";
import { BUILT_INS, compilePolicy } from "../../src/toolkit/catalog.js";
import { all, leftBy } from "./policy-of.js";

const PAGE = await readFile(new URL("../../docs/policy.md", import.meta.url), "utf8");
const EXAMPLES = await readFile(new URL("../../docs/policy-examples.md", import.meta.url), "utf8");
const EXAMPLE =
  /```json5\n([\s\S]*?)```\n\n(?:Leaves: |For `([^`]+)` it leaves: )(all but )?(.+)\.\n/g;
const EXAMPLE_COUNT = 9;

const CODES = {
  malformed: true,
  typo: true,
  unknown_name: true,
  unknown_group: true,
  not_loaded: true,
  pattern_unmatched: true,
  blank_entry: true,
  empty_allow: true,
  allow_ignored: true,
  allow_conflict: true,
  mutable_sender: true,
} satisfies Record<PolicyWarningCode, true>;

/** First cells of the table under a heading, without their backticks. */
function firstCells(heading: string): string[] {
  const section = PAGE.split(heading)[1]?.split(/\n#+ /)[0] ?? "";
  return [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

describe("docs/policy.md", () => {
  const examples = [...EXAMPLES.matchAll(EXAMPLE)].map(
    ([, text = "", request = "{}", allBut, names = ""]) => ({ text, request, allBut, names }),
  );

  it("has every example with what it leaves", () => {
    expect(examples).toHaveLength(EXAMPLE_COUNT);
    expect(EXAMPLES.match(/```json5/g)).toHaveLength(EXAMPLE_COUNT);
  });

  it.each(examples)("leaves by $text", ({ text, request, allBut, names }) => {
    const named = [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    const expected = allBut ? all(...named) : named;
    expect(leftBy({ config: JSON5.parse(text), request: JSON.parse(request) })).toEqual(expected);
  });

  it("lists the layers in the order in which they are asked", () => {
    expect(firstCells("## Layers")).toEqual([...LAYER_IDS]);
  });

  it("lists every group with its documented members; docs/catalog.md has all", () => {
    const { groups } = BUILT_INS;
    const table = PAGE.split("### Groups")[1] ?? "";
    expect(firstCells("### Groups")).toEqual([...groups.keys(), ...ORIGIN_GROUPS.keys()]);
    for (const [group, names] of groups) {
      const [, cell = ""] = table.match(new RegExp(`^\\| \`${group}\` \\| (.*) \\|$`, "m")) ?? [];
      expect(names).toEqual(expect.arrayContaining(cell.split(", ")));
    }
  });

  it("lists every profile with its entries", () => {
    expect(firstCells("### Profiles")).toEqual(PROFILE_NAMES);
    for (const name of PROFILE_NAMES) {
      const entries = BUILT_INS.entriesOf(name);
      if (entries.length > 0) expect(PAGE).toContain(`| \`${name}\` | ${entries.join(", ")} |`);
    }
  });

  it("lists every code of a warning", () => {
    expect(firstCells("## Config that cannot be read").sort()).toEqual(Object.keys(CODES).sort());
  });

  it("names the channels and the defaults of sandboxes and sub-agents", () => {
    const channels = [...CHANNEL_IDS].map((id) => `\`${id}\``);
    expect(PAGE).toContain(`${channels.slice(0, -1).join(", ")} and ${channels.at(-1)}`);
    const denied = SANDBOX_DEFAULTS.deny.filter((name) => !CHANNEL_IDS.has(name));
    expect(PAGE).toContain(
      `allows ${SANDBOX_DEFAULTS.allow.join(", ")} and denies ${denied.join(", ")} and the channels`,
    );
    const { orchestrator, leaf } = SUBAGENT_DENY;
    const more = leaf.slice(orchestrator.length);
    expect(PAGE).toContain(`denied ${orchestrator.join(", ")}; a leaf also ${more.join(", ")}.`);
  });

  it("shows in its first block what really comes out", () => {
    const tools = ["read", "exec", "process"].map((name) => ({
      name,
      origin: "core" as const,
      alsoKnownAs: name === "exec" ? ["bash"] : [],
    }));
    const policy = compilePolicy({
      config: { tools: { profile: "coding", deny: ["group:runtime"] } },
      tools,
      request: { agentId: "main", provider: "openai", model: "gpt-5.2" },
    });
    expect(policy.allows("read")).toBe(true);
    expect(policy.decide("bash")).toEqual({
      allowed: false,
      layer: "global",
      rule: 'tools.deny[0] "group:runtime"',
      reason: 'denied by tools.deny[0] "group:runtime"',
      restore: { tools: { deny: ["process"] } },
    });
  });
});
