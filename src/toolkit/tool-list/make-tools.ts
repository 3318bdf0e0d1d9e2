// Calls a tool factory once for a toolkit's context. Gives the usable tools, and why others are missing.

import {
  type DiagnosticCode,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
  toToolError,
} from "../../core/index.js";
import { readTool } from "./read-tool.js";

export interface Fault {
  readonly code:
    | "declined"
    | Extract<DiagnosticCode, "factory_threw" | "factory_async" | "tool_invalid">;
  readonly reason: string;
  readonly cause?: unknown;
}

export interface MadeTools {
  readonly tools: ReadonlyArray<Tool | ToolDefinition>;
  readonly fault?: Fault;
}

const NOTHING_MADE: Fault = {
  code: "declined",
  reason: "its factory gave no tool for this context",
};

export function makeTools(factory: ToolFactory, ctx: ToolContext): MadeTools {
  let made: unknown;
  try {
    // A copy: what a factory does to its context must not reach the other tools.
    made = factory({ ...ctx });
  } catch (cause) {
    const reason = `its factory threw: ${toToolError(cause).message}`;
    return { tools: [], fault: { code: "factory_threw", reason, cause } };
  }
  if (made instanceof Promise) return refusePromise(made);
  return readMade(Array.isArray(made) ? [...made] : made ? [made] : []);
}

/** No one will wait for it, so its failure must not become an unhandled rejection. */
function refusePromise(made: Promise<unknown>): MadeTools {
  made.catch(() => undefined);
  const reason =
    "its factory is async: await what it needs before you make the toolkit, and return the tool itself";
  const cause = new ToolInputError(reason, { reason: "factory_async" });
  return { tools: [], fault: { code: "factory_async", reason, cause } };
}

function readMade(made: readonly unknown[]): MadeTools {
  if (made.length === 0) return { tools: [], fault: NOTHING_MADE };
  const tools: Array<Tool | ToolDefinition> = [];
  const causes: unknown[] = [];
  for (const item of made) {
    try {
      tools.push(readTool(item));
    } catch (cause) {
      causes.push(cause);
    }
  }
  if (causes.length === 0) return { tools };
  const messages = causes.map((cause) => toToolError(cause).message).join(" ");
  const reason = `its factory did not return a usable tool: ${messages}`;
  return { tools, fault: { code: "tool_invalid", reason, cause: causes[0] } };
}
