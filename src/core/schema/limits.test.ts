// The walkers that hold the size of schemas and arguments.
import { describe, expect, it } from "vitest";
import {
  assertArgumentsWithinLimits,
  assertSchemaWithinLimits,
  DEFAULT_MAX_ARGUMENT_CHARS,
  MAX_ARGUMENT_DEPTH,
  MAX_ARGUMENT_NODES,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
} from "./limits.js";
import { MAX_PATTERN_CHARS } from "./pattern.js";

function nest(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

function thrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

const items = (count: number) => Array.from({ length: count }, () => 1);

describe("schema limits", () => {
  it("take exactly the depth, the values and the characters they name", () => {
    expect(() => assertSchemaWithinLimits(nest(MAX_SCHEMA_DEPTH))).not.toThrow();
    expect(() => assertSchemaWithinLimits(items(MAX_SCHEMA_NODES - 1))).not.toThrow();
    expect(() => assertSchemaWithinLimits("a".repeat(MAX_SCHEMA_CHARS))).not.toThrow();
  });

  it.each([
    ["one level more", nest(MAX_SCHEMA_DEPTH + 1), "schema_too_deep"],
    ["one value more", items(MAX_SCHEMA_NODES), "schema_too_large"],
    ["one character more", "a".repeat(MAX_SCHEMA_CHARS + 1), "schema_too_large"],
    ["one long key", { ["a".repeat(MAX_SCHEMA_CHARS + 1)]: 1 }, "schema_too_large"],
  ])("refuse %s", (_name, schema, reason) => {
    expect(thrownBy(() => assertSchemaWithinLimits(schema))).toMatchObject({
      code: "limit",
      reason,
    });
  });

  it("count a shared object each time it is met, and do not take it for a cycle", () => {
    const shared = { type: "string" };
    expect(() => assertSchemaWithinLimits({ a: shared, b: shared, c: [shared] })).not.toThrow();
    let doubled: unknown = { leaf: true };
    for (let level = 0; level < 40; level += 1) doubled = [doubled, doubled];
    expect(thrownBy(() => assertSchemaWithinLimits(doubled))).toMatchObject({
      reason: "schema_too_large",
    });
  });

  it("take patterns of 1,000 characters and 20,000 together, and no more", () => {
    const patterns = (count: number, chars: number) => ({
      anyOf: Array.from({ length: count }, () => ({ pattern: "a".repeat(chars) })),
    });
    expect(() => assertSchemaWithinLimits(patterns(20, MAX_PATTERN_CHARS))).not.toThrow();
    for (const schema of [
      patterns(1, MAX_PATTERN_CHARS + 1),
      patterns(21, MAX_PATTERN_CHARS),
      { patternProperties: { ["a".repeat(MAX_PATTERN_CHARS + 1)]: true } },
      { items: { pattern: "\\p{L}".repeat(41) } },
    ]) {
      expect(thrownBy(() => assertSchemaWithinLimits(schema))).toMatchObject({
        code: "limit",
        reason: "schema_too_large",
      });
    }
  });

  it("take a long text under a name or a value that is only called pattern", () => {
    const pattern = "a".repeat(MAX_PATTERN_CHARS + 1);
    const schema = { properties: { pattern: { description: pattern } }, default: { pattern } };
    expect(() => assertSchemaWithinLimits(schema)).not.toThrow();
  });

  it("refuse bytes, which are not JSON and cannot be frozen", () => {
    for (const bytes of [Buffer.from("x"), new Uint8Array(), new DataView(new ArrayBuffer(1))]) {
      const schema = { properties: { a: { default: bytes } } };
      expect(thrownBy(() => assertSchemaWithinLimits(schema))).toMatchObject({
        code: "invalid_input",
        reason: "schema_invalid",
        message: expect.stringContaining("properties.a.default"),
      });
    }
  });

  it("take a key called __proto__: in a schema it is only the name of a property", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
    expect(() => assertSchemaWithinLimits(schema)).not.toThrow();
  });
});

describe("argument limits", () => {
  it("take exactly the depth and the values they name", () => {
    expect(() => assertArgumentsWithinLimits(nest(MAX_ARGUMENT_DEPTH))).not.toThrow();
    expect(() => assertArgumentsWithinLimits(items(MAX_ARGUMENT_NODES - 1))).not.toThrow();
  });

  it.each([
    ["one level more", nest(MAX_ARGUMENT_DEPTH + 1), "arguments_too_deep"],
    ["one value more", items(MAX_ARGUMENT_NODES), "arguments_too_large"],
    ["too much text", ["a".repeat(DEFAULT_MAX_ARGUMENT_CHARS), "a"], "arguments_too_large"],
    ["too many bytes", new Uint8Array(DEFAULT_MAX_ARGUMENT_CHARS + 1), "arguments_too_large"],
  ])("refuse %s", (_name, value, reason) => {
    const thrown = thrownBy(() => assertArgumentsWithinLimits(value));
    expect(thrown).toMatchObject({ code: "limit", reason });
  });

  it("use the number of characters they are given", () => {
    expect(() => assertArgumentsWithinLimits("abc", { maxChars: 3 })).not.toThrow();
    expect(thrownBy(() => assertArgumentsWithinLimits("abcd", { maxChars: 3 }))).toMatchObject({
      reason: "arguments_too_large",
    });
  });

  it("name the place of a __proto__ key", () => {
    const value = JSON.parse('{"edits":[{"oldText":"a"},{"__proto__":{"x":1}}]}');
    const thrown = thrownBy(() => assertArgumentsWithinLimits(value));
    expect(thrown).toMatchObject({ code: "invalid_input", reason: "forbidden_key" });
    expect(String(thrown)).toContain("edits[1].__proto__");
  });

  it("take the keys constructor and prototype, which are harmless as own keys", () => {
    expect(() => assertArgumentsWithinLimits({ constructor: 1, prototype: 2 })).not.toThrow();
  });
});

describe("both walkers", () => {
  const walkers = [
    ["schema", assertSchemaWithinLimits],
    ["arguments", assertArgumentsWithinLimits],
  ] as const;

  it.each(walkers)("call a cycle in the %s a cycle", (subject, walk) => {
    const self: Record<string, unknown> = {};
    self.self = self;
    const list: unknown[] = [];
    list.push({ list });
    for (const value of [self, list, { deep: { self } }]) {
      expect(thrownBy(() => walk(value))).toMatchObject({
        code: "limit",
        reason: `${subject}_cyclic`,
      });
    }
  });

  it.each(walkers)("turn whatever a hostile %s throws into a typed error", (subject, walk) => {
    const getter = Object.defineProperty({}, "bomb", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("boom");
        },
      },
    );
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const hostile of [getter, proxy, revoked.proxy]) {
      expect(thrownBy(() => walk({ inner: [hostile] }))).toMatchObject({
        code: "invalid_input",
        reason: `${subject}_unreadable`,
      });
    }
  });

  it.each(walkers)("look only at own enumerable keys of the %s", (_subject, walk) => {
    const inherited = Object.create({ deep: nest(1_000) });
    Object.defineProperty(inherited, "hidden", { value: nest(1_000), enumerable: false });
    expect(() => walk(inherited)).not.toThrow();
  });
});
