// Claims 109, 110 and 112: the error classes, through the doors.
import type { Tool } from "clawtools";
import { ToolRegistry } from "clawtools";
import {
  readStringParam,
  ToolAuthorizationError,
  ToolInputError,
  textResult,
} from "clawtools/tools";
import { describe, expect, expectTypeOf, it } from "vitest";

describe("error classes", () => {
  it("109 · ToolInputError status 400", () => {
    const error = new ToolInputError("path must point to an existing file");
    expect(error).toBeInstanceOf(Error);
    expect(error.status).toBe(400);
    expect(error.name).toBe("ToolInputError");
    expect(error.message).toBe("path must point to an existing file");
    expect(() => readStringParam({}, "path", { required: true })).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });

  it("110 · ToolAuthorizationError extends it, 403", () => {
    const error = new ToolAuthorizationError("this tool requires owner authorization");
    expect(error).toBeInstanceOf(ToolInputError);
    expect(error.status).toBe(403);
    expect(error.name).toBe("ToolAuthorizationError");
    expect(new ToolInputError("no")).not.toBeInstanceOf(ToolAuthorizationError);
  });

  it("112 · ctx.ownerOnly in the example: the field is Tool.ownerOnly, and execute throws the 403", async () => {
    expectTypeOf<Tool>().toHaveProperty("ownerOnly").toEqualTypeOf<boolean | undefined>();
    const callerIsOwner = (params: Record<string, unknown>) => params.owner === true;
    const tool: Tool = {
      name: "reset",
      description: "Reset the agent",
      parameters: { type: "object", properties: { owner: { type: "boolean" } } },
      ownerOnly: true,
      execute: async (_toolCallId, params) => {
        if (!callerIsOwner(params)) {
          throw new ToolAuthorizationError("this tool requires owner authorization");
        }
        return textResult("reset");
      },
    };
    const registry = new ToolRegistry();
    registry.register(tool);
    const resolved = registry.resolve("reset", {});
    expect(resolved?.ownerOnly).toBe(true);
    await expect(resolved?.execute("call_1", {})).rejects.toMatchObject({
      status: 403,
      message: "this tool requires owner authorization",
    });
    expect((await resolved?.execute("call_2", { owner: true }))?.content).toEqual([
      { type: "text", text: "reset" },
    ]);
  });
});
