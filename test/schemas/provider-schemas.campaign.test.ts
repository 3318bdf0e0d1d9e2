// f7 and f6 of the security list: real schemas for every target. What is sent passes the target's
// linter and still takes every valid sample; what is not sent has a reason, and costs no other tool.

import { describe, expect, it } from "vitest";
import { createPrepare } from "../../src/core/invoke/prepare.js";
import { isSameJson } from "../../src/core/schema/json-value.js";
import { compileValidator } from "../../src/core/schema/standard.js";
import type { CompiledSchema } from "../../src/core/schema/targets/compile-schema.js";
import { compileTools } from "../../src/core/schema/targets/compiler.js";
import { lintSchema } from "../../src/core/schema/targets/lint.js";
import { SCHEMA_TARGETS, type SchemaTarget } from "../../src/core/schema/targets/target.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";
import { sampleRows } from "../fakes/campaign.js";
import { type CorpusTool, readOwnTools, readServerTools } from "./corpus.js";
import { type HostileTool, makeHostileTools, readMalformedTools } from "./hostile-schemas.js";
import { fillWithNull, findMisfit, isValidSchema } from "./reader.js";

const own = readOwnTools();
/** Without names that ours have: two tools cannot share one. */
const servers = readServerTools().filter(({ name }) => !own.some((tool) => tool.name === name));
const sound = [...own, ...servers];
const hostile = [...readMalformedTools(), ...makeHostileTools()].map((tool) => ({
  description: "A tool that a good server would not send",
  ...tool,
}));
const guard = createTimeGuard();

/** How many of the sound schemas at least an API would refuse if they were sent unchanged. */
const NAIVE_FAULTS: Readonly<Record<SchemaTarget, number>> = {
  generic: 200,
  openai: 15,
  "openai-strict": 250,
  anthropic: 5,
  gemini: 180,
  mcp: 5,
};

const linterOf = (schema: CompiledSchema, target: SchemaTarget): SchemaTarget =>
  schema.strict === false ? "openai" : target;

/** What a model could send for the sample. */
const asSent = (sample: unknown, { schema, strict }: CompiledSchema): unknown =>
  strict ? fillWithNull(sample, schema) : sample;

function byName<T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((entry) => [entry.name, entry]));
}

describe("the corpus", () => {
  it("has 300 schemas: at least 30 of our own, at least 150 of servers, at least 60 hostile ones", () => {
    expect(own.length).toBeGreaterThanOrEqual(30);
    expect(servers.length).toBeGreaterThanOrEqual(150);
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    expect(sound.length + hostile.length).toBeGreaterThanOrEqual(300);
    expect(byName([...sound, ...hostile]).size).toBe(sound.length + hostile.length);
  });

  it("has two samples for each sound schema that fit the schema as its author wrote it", async () => {
    const misfits: string[] = [];
    for (const { name, parameters, minimal, full } of sound) {
      const validator = await compileValidator(parameters, { guard });
      for (const sample of [minimal, full]) {
        if (!validator.check(sample).ok) misfits.push(`${name} ${JSON.stringify(sample)}`);
      }
    }
    expect(misfits).toEqual([]);
  });
});

describe.each(SCHEMA_TARGETS)("compiled for %s", (target) => {
  const { compiled, quarantined } = compileTools(sound, target);
  const tools = byName<CorpusTool>(sound);

  it("f7 · every sound schema goes out", () => {
    expect(quarantined.map(({ tool, reason }) => [tool.name, reason])).toEqual([]);
    expect(compiled.map(({ name }) => name)).toEqual(sound.map(({ name }) => name));
  });

  it("f7 · the linter has nothing to say", () => {
    const faults = compiled.flatMap((schema) =>
      lintSchema(schema.schema, linterOf(schema, target)).map((fault) => [schema.name, fault]),
    );
    expect(faults).toEqual([]);
  });

  it("f7 · some of them would be refused as their authors wrote them", () => {
    const refused = sound.filter(({ parameters }) => lintSchema(parameters, target).length > 0);
    expect(refused.length).toBeGreaterThanOrEqual(NAIVE_FAULTS[target]);
  });

  it("f7 · each is a schema by the meta-schema of draft 2020-12", () => {
    const invalid = sampleRows(compiled, 4).filter(({ schema }) => !isValidSchema(schema));
    expect(invalid.map(({ name }) => name)).toEqual([]);
  });

  it("f7 · every valid sample still fits", () => {
    const misfits = sampleRows(compiled, 4).flatMap((schema) => {
      const { minimal, full } = tools.get(schema.name) ?? { minimal: "lost", full: "lost" };
      return [minimal, full]
        .map((sample) =>
          findMisfit({ schema: schema.schema, value: asSent(sample, schema), target }),
        )
        .filter((misfit) => misfit !== undefined)
        .map((misfit) => `${schema.name}: ${misfit}`);
    });
    expect(misfits).toEqual([]);
  });

  it("f7 · a change is reported wherever a schema differs from its author's, and only there", () => {
    for (const { name, schema, report } of compiled) {
      const changes = report.filter(({ keyword }) => keyword !== "strict");
      const isSame = isSameJson(schema, tools.get(name)?.parameters);
      expect([name, changes.length === 0]).toEqual([name, isSame]);
      for (const { pointer } of changes) expect(pointer).toMatch(/^\//);
    }
  });
});

describe("strict function calling", () => {
  const { compiled } = compileTools(sound, "openai-strict");

  it("f7 · what a strict model sends comes back to valid arguments, without the nulls", async () => {
    const tools = byName<CorpusTool>(sound);
    const strict = compiled.filter((schema) => schema.strict);
    // Most tools of the world can be strict; the rest is sent without.
    expect(strict.length).toBeGreaterThan(sound.length * 0.75);
    for (const schema of strict) {
      const tool = tools.get(schema.name);
      if (tool === undefined) throw new Error(`${schema.name} is lost`);
      const { parameters, aliases } = tool;
      const prepare = createPrepare({ parameters, aliases, maxArgumentChars: undefined });
      const validator = await compileValidator(parameters, { guard });
      for (const sample of [tool.minimal, tool.full]) {
        const prepared = prepare(asSent(sample, schema));
        expect([schema.name, validator.check(prepared)]).toEqual([schema.name, { ok: true }]);
      }
    }
  });

  it("f7 · a tool that cannot be strict says why", () => {
    for (const { name, strict, report } of compiled) {
      const notes = report.filter(({ keyword }) => keyword === "strict");
      expect([name, notes.length]).toEqual([name, strict ? 0 : 1]);
      for (const { reason } of notes) expect(reason).toMatch(/^\/.* \w+/);
    }
    const exec = compiled.find(({ name }) => name === "exec");
    expect(exec?.report.at(-1)).toEqual({
      pointer: "/",
      keyword: "strict",
      change: "dropped",
      reason: "/properties/env takes names that are not listed",
    });
  });
});

describe.each(SCHEMA_TARGETS)("hostile schemas for %s", (target) => {
  const isRefused = ({ reason, refusedBy }: HostileTool) =>
    reason !== undefined && (refusedBy === undefined || refusedBy.includes(target));

  const mixed = hostile.flatMap((tool, index) => {
    const neighbour = sound[index % sound.length];
    const name = `neighbour_${index}`;
    return neighbour === undefined ? [tool] : [tool, { ...neighbour, name }];
  });
  const startedMs = performance.now();
  const { compiled, quarantined } = compileTools<HostileTool & { description: string }>(
    mixed,
    target,
  );
  const tookMs = performance.now() - startedMs;
  const sent = byName(compiled);
  const left = new Map(quarantined.map(({ tool, reason }) => [tool.name, reason]));

  it("f6 · each is mended or left out with its reason", () => {
    for (const tool of hostile) {
      const { name, reason = "" } = tool;
      expect([name, sent.has(name), left.has(name)]).toEqual([
        name,
        !isRefused(tool),
        isRefused(tool),
      ]);
      if (isRefused(tool))
        expect([name, left.get(name)]).toEqual([name, expect.stringContaining(reason)]);
    }
  });

  it("f6 · every other tool is sent, and as it would be alone", () => {
    const alone = byName(compileTools(sound, target).compiled);
    for (const index of hostile.keys()) {
      const neighbour = sound[index % sound.length];
      const schema = sent.get(`neighbour_${index}`)?.schema;
      expect(schema).toEqual(alone.get(neighbour?.name ?? "")?.schema);
    }
  });

  it("f6 · what is sent passes the linter, is a schema, and takes its sample", () => {
    for (const { name, sample } of hostile) {
      const schema = sent.get(name);
      if (schema === undefined) continue;
      expect([name, lintSchema(schema.schema, linterOf(schema, target))]).toEqual([name, []]);
      expect([name, isValidSchema(schema.schema)]).toEqual([name, true]);
      if (sample === undefined) continue;
      const value = asSent(sample, schema);
      const misfit = findMisfit({ schema: schema.schema, value, target });
      expect([name, misfit]).toEqual([name, undefined]);
    }
  });

  it("f6 · all of them together take no more than a few seconds", () => {
    expect(tookMs).toBeLessThan(10_000);
  });
});
