// How a command reads input is part of what is approved; and the values of its variables are written
// nowhere in the state.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandQuestion, createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";

type Decision = "allow-once" | "allow-always" | "deny";

async function createScene(decide: (question: CommandQuestion) => Decision) {
  const folder = await createTempFolder({
    "root/deploy.sh": "read answer; echo $answer > ran\n",
    "root/a.txt": "a\n",
  });
  const stateDir = join(folder, "state");
  const questions: (CommandQuestion & { readonly title: string })[] = [];
  const toolkit = createToolkit({
    root: join(folder, "root"),
    stateDir,
    approvals: { version: 1, agents: { "*": { allowlist: [{ pattern: "cat" }] } } },
    config: { tools: { exec: { sandbox: "none" } } },
    async approve({ command, title }) {
      if (command === undefined) throw new Error("Only commands are asked about here.");
      questions.push({ ...command, title });
      return { decision: decide(command) };
    },
  });
  onTestFinished(() => toolkit.close());
  let calls = 0;
  const exec = async (params: Record<string, unknown>) => {
    const given = { yieldMs: 500, ...params };
    const call = { id: `call_${++calls}`, name: "exec", arguments: given };
    const { details } = await toolkit.invoke(call);
    return Reflect.get(Object(details), "reason");
  };
  return { toolkit, stateDir, questions, exec };
}

const WAYS = [
  ["closed", {}, undefined],
  ["open", { background: true }, "With an open input, which the agent writes"],
  ["a terminal", { pty: true }, "With a terminal as its input, which the agent writes"],
  ["a terminal in the background", { pty: true, background: true }, "With a terminal as its input"],
] as const;

describe.each(WAYS)("a yes for good with an input that is %s", (name, granted, shown) => {
  it("holds for that input, and every other is asked about", async () => {
    const { exec, questions } = await createScene((question) =>
      questions.length === 1 && question.command === "bash deploy.sh" ? "allow-always" : "deny",
    );
    const command = "bash deploy.sh";
    await exec({ command, ...granted });
    const [first] = questions;
    expect(first?.shown.join("\n").includes(shown ?? "With ")).toBe(shown !== undefined);
    expect(first?.grants[0]?.shown).toMatch(shown === undefined ? /root$/ : / with an? .*input$/);
    expect(await exec({ command, ...granted })).not.toBe("user_denied");
    expect(questions).toHaveLength(1);
    for (const [other, params] of WAYS) {
      if (other.slice(0, 10) === name.slice(0, 10)) continue;
      expect(await exec({ command, ...params }), other).toBe("user_denied");
    }
    // What is listed by its name stays as it is.
    const asked = questions.length;
    for (const [, params] of WAYS) await exec({ command: "cat a.txt", ...params });
    expect(questions).toHaveLength(asked);
  });
});

it("the title of a question says that the input is open, also where nothing can be read", async () => {
  const { exec, questions } = await createScene(() => "deny");
  await exec({ command: "echo $(date)", background: true });
  expect(questions[0]).toMatchObject({ input: "open" });
  expect(questions[0]?.title).toContain("with an open input");
  expect(questions[0]?.shown).toContain("With an open input, which the agent writes");
});

it.each(["allow-once", "allow-always", "deny"] as const)(
  "after %s the state has the names of variables and none of their values",
  async (decision) => {
    const { exec, questions, toolkit, stateDir } = await createScene(() => decision);
    const env = { SERVICE_ADDRESS: "value-of-the-variable" };
    await exec({ command: "bash deploy.sh", env });
    expect(questions[0]?.env).toEqual(env);
    expect(questions[0]?.shown).toContain("Environment: SERVICE_ADDRESS=value-of-the-variable");
    const read = () =>
      readdirSync(stateDir, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("\n");
    expect(read().includes("SERVICE_ADDRESS")).toBe(true);
    expect(read().includes("value-of-the-variable")).toBe(false);
    await toolkit.close();
    expect(read().includes("value-of-the-variable")).toBe(false);
  },
);
