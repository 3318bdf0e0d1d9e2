// Factories in `options.tools`: what they make, and what becomes of those that misbehave.

import { createToolkit, type ToolFactory } from "clawtools";
import { describe, expect, it } from "vitest";
import { plainEcho, say } from "./sample-tools.js";
import { ROOT, startToolkit, textOf } from "./start-toolkit.js";

/** What a caller without types may pass. */
const untyped = (factory: () => unknown) => factory as ToolFactory;

const FAULTY: [title: string, factory: ToolFactory, code: string, words: RegExp][] = [
  [
    "throws",
    () => {
      throw new Error("no licence");
    },
    "factory_threw",
    /factory threw: no licence/,
  ],
  ["gives nothing", () => null, "declined", /gave no tool for this context/],
  ["gives an empty list", () => [], "declined", /gave no tool for this context/],
  ["is async", untyped(async () => say), "factory_async", /factory is async/],
  ["gives no tool", untyped(() => ({ name: "x" })), "tool_invalid", /no execute function/],
  ["gives a list with a hole", untyped(() => [null]), "tool_invalid", /received null/],
];

describe.each(FAULTY)("a factory that %s", (_title, factory, code, words) => {
  it("has a row under its place in the options, and costs no other", async () => {
    const { toolkit, call } = startToolkit({ tools: [plainEcho(), factory, say] });
    expect(toolkit.explain("tools[1]")).toMatchObject({
      id: "tools[1]",
      status: "absent",
      code,
      reason: expect.stringMatching(words),
    });
    expect(textOf(await call("say", { arguments: { text: "hi" } }))).toBe("hi");
    expect(textOf(await call("plain_echo", { arguments: { text: "ho" } }))).toBe("ho");
  });
});

describe("a factory", () => {
  it("that throws is among the diagnostics, with the error as cause", () => {
    const cause = new Error("no licence");
    const factory = () => {
      throw cause;
    };
    const { toolkit } = startToolkit({ tools: [factory] });
    expect(toolkit.diagnostics()).toContainEqual(
      expect.objectContaining({ code: "factory_threw", toolId: "tools[0]", cause }),
    );
  });

  it("that gives a tool and something else keeps the tool", () => {
    const { toolkit } = startToolkit({ tools: [untyped(() => [say, 5])] });
    expect(toolkit.explain("say").status).toBe("present");
    expect(toolkit.explain("tools[0]")).toMatchObject({
      code: "tool_invalid",
      reason: expect.stringContaining("received number"),
    });
  });

  it("has a row for each tool that it makes", () => {
    const { toolkit } = startToolkit({ tools: [() => [say, plainEcho()]] });
    for (const name of ["say", "plain_echo"]) {
      expect(toolkit.explain(name).status).toBe("present");
    }
    expect(toolkit.explain("tools[0]").code).toBe("unknown");
  });

  it("cannot change the context of the others", async () => {
    const { call } = startToolkit({
      tools: [
        (ctx) => {
          Reflect.deleteProperty(ctx, "bridge");
          ctx.root = "/elsewhere";
          return say;
        },
      ],
    });
    const result = await call("read", { arguments: { path: "notes.txt" } });
    expect(textOf(result)).toContain("first line");
  });

  it("may not take a name from another tool: that is a mistake of the program", () => {
    expect(() => createToolkit({ root: ROOT, tools: [() => plainEcho({ name: "read" })] })).toThrow(
      expect.objectContaining({ reason: "name_conflict", code: "invalid_input" }),
    );
  });
});
