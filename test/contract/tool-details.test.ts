// The types of `details` that users import are those of real results.

import {
  type ExecDetails,
  type GrepDetails,
  type ReadDetails,
  textOf,
  type WebFetchDetails,
} from "clawtools/tools";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { execute as executeGrep } from "../../src/tools/grep/execute.js";
import type { execute as executeRead } from "../../src/tools/read/execute.js";
import { read } from "../../src/tools/read/index.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";

describe("the types of details", () => {
  it("are what the tools return, and tell the kinds of a result apart", async () => {
    type Of<Run extends (call: never) => Promise<{ details?: unknown }>> = NonNullable<
      Awaited<ReturnType<Run>>["details"]
    >;
    expectTypeOf<Of<typeof executeRead>>().toEqualTypeOf<ReadDetails>();
    expectTypeOf<Of<typeof executeGrep>>().toEqualTypeOf<GrepDetails>();
    expectTypeOf<GrepDetails["results"][number]["path"]>().toEqualTypeOf<string>();
    expectTypeOf<WebFetchDetails["truncated"]>().toEqualTypeOf<boolean>();
    expectTypeOf<Extract<ExecDetails, { status: "running" }>["pid"]>().toEqualTypeOf<number>();
    const bridge = createMemoryBridge({ f: "a\nb\n" });
    const result = await bindAlone(read, { bridge, root: MEMORY_ROOT }).execute("1", { path: "f" });
    // A result of `read` that is not an error has this shape.
    const details = result.details as ReadDetails;
    expect(details.kind === "text" ? details.totalLines : undefined).toBe(2);
    expect(textOf(result)).toBe("a\nb\n");
  });
});
