// What a copy keeps, what it leaves as it is, and what becomes a marker.

import { describe, expect, it } from "vitest";
import { copyPlain } from "../schema/json-value.js";

describe("a copy of plain data", () => {
  it("is equal, and shares nothing that can change", () => {
    const source = { text: "a", list: [{ deep: [1, null, undefined] }], empty: {} };
    const copy = copyPlain(source);
    expect(copy).toEqual(source);
    source.list.push({ deep: [] });
    source.list[0]?.deep.push(2);
    expect(copy).toEqual({ text: "a", list: [{ deep: [1, null, undefined] }], empty: {} });
  });

  it.each([5, "text", true, null, undefined, 5n, Number.NaN])("of %s is the value", (value) => {
    expect(copyPlain(value)).toBe(value);
  });

  it("keeps what is no plain data as the same object", () => {
    class Thing {
      readonly name = "thing";
    }
    const parts = [new Thing(), new Date(), new Map(), Buffer.from("x"), () => 1, /x/];
    const copy = copyPlain({ parts });
    expect(copy).toEqual({ parts });
    expect(copy).not.toBe(parts);
    for (const [index, part] of parts.entries()) {
      expect(Reflect.get(Reflect.get(copy as object, "parts"), index)).toBe(part);
    }
  });

  it("reads a getter once, and what it gives is plain from then on", () => {
    let reads = 0;
    const source = {
      get count() {
        reads += 1;
        return reads;
      },
    };
    const copy = copyPlain(source);
    expect([copy, copy, reads]).toEqual([{ count: 1 }, { count: 1 }, 1]);
  });

  it("keeps a key called __proto__ a key", () => {
    const source: unknown = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const copy = copyPlain(source);
    expect(Object.keys(copy as object)).toEqual(["__proto__", "a"]);
    expect(Reflect.get(copy as object, "admin")).toBeUndefined();
  });

  it("copies objects without a prototype, and proxies of plain ones", () => {
    const bare: Record<string, unknown> = Object.create(null);
    bare.a = 1;
    expect(copyPlain(bare)).toEqual({ a: 1 });
    expect(copyPlain(new Proxy({ a: [1] }, {}))).toEqual({ a: [1] });
  });
});

describe("references", () => {
  it("make a cycle a marker, and what is only shared is shared again", () => {
    const shared = { a: 1 };
    const source: Record<string, unknown> = { left: shared, right: shared };
    source.self = source;
    const copy = copyPlain(source) as Record<string, unknown>;
    expect(copy).toEqual({ left: { a: 1 }, right: { a: 1 }, self: "[Circular]" });
    expect(copy.left).toBe(copy.right);
    expect(copy.left).not.toBe(shared);
    expect(() => JSON.stringify(copy)).not.toThrow();
  });

  it("to the same parts are copied once", () => {
    let part: unknown = "leaf";
    for (let level = 0; level < 100; level += 1) part = [part, part];
    const copy = copyPlain(part) as unknown[];
    expect(copy[0]).toBe(copy[1]);
  });
});
