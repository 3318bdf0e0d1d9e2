// OpenAPI's way of saying that something may be null, through the compiler and through a call.

import { describe, expect, it } from "vitest";
import { createCallableFactory } from "../invoke/callable.js";
import { admitNulls } from "./normalize.js";
import { compileSchema } from "./targets/compile-schema.js";
import { SCHEMA_TARGETS } from "./targets/target.js";
import { compileValidator } from "./validator.js";

const parameters = {
  type: "object",
  properties: {
    a: { type: "string", nullable: true },
    b: { type: "string", enum: ["x"], nullable: true },
    c: { anyOf: [{ type: "string" }, { type: "integer" }], nullable: true },
  },
  required: ["a", "b", "c"],
};
const nulls = { a: null, b: null, c: null };

describe("nullable", () => {
  it("becomes a type, a value or a variant", () => {
    expect(admitNulls(parameters).properties).toEqual({
      a: { type: ["string", "null"] },
      b: { type: ["string", "null"], enum: ["x", null] },
      c: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
    });
  });

  it("is dropped at the root, because arguments are an object", () => {
    expect(admitNulls({ type: "object", nullable: true })).toEqual({ type: "object" });
  });

  it("makes a choice of one a choice of any, because null may then fit twice", () => {
    const oneOf = [{ type: "string", nullable: true }, { type: "null" }];
    const widened = [{ type: ["string", "null"] }, { type: "null" }];
    const schemaOf = (a: object) => ({ type: "object", properties: { a } });
    expect(admitNulls(schemaOf({ oneOf }))).toEqual(schemaOf({ anyOf: widened }));
    const named = [{ enum: ["x", null] }];
    expect(admitNulls(schemaOf({ oneOf: named, nullable: true }))).toEqual(
      schemaOf({ anyOf: [...named, { type: "null" }] }),
    );
    const anyOf = [{ maxLength: 3 }];
    const both = { anyOf, allOf: [{ anyOf: widened }] };
    expect(admitNulls(schemaOf({ anyOf, oneOf }))).toEqual(schemaOf(both));
  });

  it("leaves a schema without it the same object, and a parameter of that name alone", () => {
    const schema = { type: "object", properties: { nullable: { type: "boolean" } } };
    expect(admitNulls(schema)).toBe(schema);
  });

  it.each(SCHEMA_TARGETS.filter((target) => target !== "gemini"))(
    "is told to %s so that null fits",
    async (target) => {
      const { schema } = compileSchema({ name: "tool", description: "", parameters }, target);
      const validator = await compileValidator(schema);
      expect(validator.check(nulls)).toEqual({ ok: true });
    },
  );

  it("stays the word that Gemini takes", () => {
    const { schema } = compileSchema({ name: "tool", description: "", parameters }, "gemini");
    expect(schema.properties).toMatchObject({ a: { nullable: true }, b: { nullable: true } });
  });

  it("holds for a call as well", async () => {
    const ports = {
      clock: { now: () => 0, after: () => () => undefined },
      random: { hex: () => "00" },
      guard: { run: <T>(work: () => T) => work() },
    };
    const callable = createCallableFactory(ports).fromTool({
      name: "tool",
      description: "",
      parameters,
      execute: async () => ({ content: [] }),
    });
    const { signal } = new AbortController();
    expect(await callable.readArguments(nulls, { signal })).toEqual(nulls);
  });
});
