// How system errors become errors of ours: code, reason, and words that say what to do.

import { describe, expect, it } from "vitest";
import { ToolError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toFsError } from "./errors.js";

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: open '/proc/self/fd/9/x'`), { code });

const CASES: [errno: string, code: string, reason: string, words: string][] = [
  ["ENOENT", "not_found", "file_missing", "does not exist"],
  ["EISDIR", "invalid_input", "is_directory", "is a folder"],
  ["ENOTDIR", "invalid_input", "path_invalid", "is a file, not a folder"],
  ["ENAMETOOLONG", "invalid_input", "path_invalid", "too long"],
  ["ELOOP", "invalid_input", "path_invalid", "circle"],
  ["ENOSPC", "failed", "enospc", "free some space"],
  ["EDQUOT", "failed", "edquot", "free some space"],
  ["EACCES", "failed", "eacces", "permissions"],
  ["EROFS", "failed", "erofs", "read-only"],
  ["EMFILE", "failed", "emfile", "fewer calls at once"],
  ["EOTHER", "failed", "eother", "the system refused"],
];

describe("toFsError", () => {
  it.each(CASES)("%s is %s, %s", (errno, code, reason, words) => {
    const cause = systemError(errno);
    const error = toFsError(cause, "the/path");
    expect(error).toMatchObject({ code, reason });
    const { message } = error as Error;
    expect(message).toContain('"the/path"');
    expect(message).toContain(words);
    expect(message).not.toContain("/proc");
    if (code === "failed") expect(error).toMatchObject({ cause, details: { errno } });
  });

  it.each([
    [`${"d/".repeat(2_040)}x`, "it is too long for this system"],
    [`d/${"n".repeat(256)}`, "a name in it is too long"],
  ])("says of a path that is too long what is too long", (path, words) => {
    expect(toFsError(systemError("ENAMETOOLONG"), path)).toMatchObject({
      reason: "path_invalid",
      message: expect.stringContaining(words),
    });
  });

  it("passes our own errors and foreign ones unchanged", () => {
    const ours = new ToolError("denied", "no");
    const foreign = new TypeError("a slip of ours");
    expect(toFsError(ours, "p")).toBe(ours);
    expect(toFsError(foreign, "p")).toBe(foreign);
  });
});

describe("errnoOf", () => {
  it("knows system errors by their code, and nothing else", () => {
    expect(errnoOf(systemError("EIO"))).toBe("EIO");
    expect(errnoOf(systemError("ABORT_ERR"))).toBe("");
    expect(errnoOf("EIO")).toBe("");
    expect(isMissing(systemError("ENOTDIR"))).toBe(true);
    expect(isMissing(systemError("EACCES"))).toBe(false);
  });
});
