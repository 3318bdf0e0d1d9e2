// Questions about calls: shown by the client where it can, else answered through the queue.

import { describe, expect, it } from "vitest";
import { BIN } from "../cli/run-cli.js";
import { runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { type Message, textOf } from "./hand-client.js";
import { ASKING, type OpenedServer, openServer } from "./open-server.js";

const ELICIT = { elicitation: {} };
const isQuestion = ({ method }: Message) => method === "elicitation/create";
const touch = (name: string) => ({ name: "exec", arguments: { command: `touch ${name}` } });

async function openAsking(answer?: (request: Message) => object | undefined) {
  return openServer({
    toolkit: ASKING,
    server: { approvalWaitMs: 50 },
    ...(answer ? { answer } : {}),
  });
}

describe("a client with elicitation", () => {
  it("shows the whole command and what may be answered", async () => {
    const { client, root } = await openAsking(() => ({
      action: "accept",
      content: { decision: "allow-once" },
    }));
    await client.initialize("2025-06-18", ELICIT);
    const long = `made-${"x".repeat(300)}`.slice(0, 200);
    const answer = await client.request("tools/call", {
      name: "exec",
      arguments: { command: `touch ${long} 'a\u202eb'` },
    });
    expect(answer.result?.isError).toBeUndefined();
    const { params } = await client.waitFor(isQuestion);
    const message = String(params?.message);
    expect(message).toContain(long);
    expect(message).not.toContain("\u202e");
    expect(message).toContain(root);
    expect(params?.requestedSchema).toMatchObject({
      type: "object",
      required: ["decision"],
      properties: { decision: { enum: expect.arrayContaining(["allow-once", "deny"]) } },
    });
  });

  it("can allow a command for good, and is not asked again", async () => {
    const { client } = await openServer({
      toolkit: {
        config: { tools: { exec: { host: "gateway", security: "allowlist", ask: "on-miss" } } },
      },
      answer: () => ({ action: "accept", content: { decision: "allow-always" } }),
    });
    await client.initialize("2025-11-25", { elicitation: { form: {} } });
    await client.request("tools/call", touch("one"));
    const again = await client.request("tools/call", touch("one"));
    expect(again.result?.isError).toBeUndefined();
    expect(client.messages.filter(isQuestion)).toHaveLength(1);
  });

  it.each([
    [{ action: "decline" }],
    [{ action: "cancel" }],
    [{ action: "accept", content: { decision: "deny" } }],
    [{ action: "accept", content: {} }],
    [{ action: "accept", content: { decision: "yes" } }],
    [{ action: "accept" }],
    [{}],
  ])("denies with the answer %j", async (given) => {
    const { client } = await openAsking(() => given);
    await client.initialize("2025-06-18", ELICIT);
    const answer = await client.request("tools/call", touch("denied"));
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toContain("was denied by a person");
  });

  it("that does not answer in time has let it expire, and is told so", async () => {
    const { client } = await openServer({
      toolkit: { config: { ...ASKING.config, approvals: { timeoutMs: 300 } } },
    });
    await client.initialize("2025-06-18", ELICIT);
    const answer = await client.request("tools/call", touch("late"));
    expect(textOf(answer)).toContain("no one answered");
    const question = await client.waitFor(isQuestion);
    const { params } = await client.waitFor(({ method }) => method === "notifications/cancelled");
    expect(params?.requestId).toBe(question.id);
  });

  it("is asked what a hook wants to have asked", async () => {
    const { client } = await openServer({
      files: { "a.txt": "secret" },
      toolkit: { hooks: { beforeCall: [() => ({ requireApproval: "Reading a file" })] } },
      answer: () => ({ action: "accept", content: { decision: "allow-once" } }),
    });
    await client.initialize("2025-06-18", ELICIT);
    const call = { name: "read", arguments: { path: "a.txt" } };
    expect(textOf(await client.request("tools/call", call))).toBe("secret");
    const { params } = await client.waitFor(isQuestion);
    expect(params?.message).toContain("Reading a file");
  });

  it("is not asked when it can only open pages", async () => {
    const { client } = await openAsking();
    await client.initialize("2025-11-25", { elicitation: { url: {} } });
    const answer = await client.request("tools/call", touch("page"));
    expect(textOf(answer)).toContain("clawtools approvals approve");
    expect(client.messages.some(isQuestion)).toBe(false);
  });
});

describe("a client without elicitation", () => {
  it("is told the command that approves, and the same call gives the result then", async () => {
    const stateDir = await createTempFolder();
    const { client } = await openServer({
      toolkit: { ...ASKING, stateDir },
      server: { approvalWaitMs: 50 },
    });
    await client.initialize("2024-11-05");
    const told = await client.request("tools/call", touch("made.txt"));
    expect(told.result?.isError).toBe(true);
    const [, slug = ""] = /clawtools approvals approve (\w{8})/.exec(textOf(told)) ?? [];
    const approved = await runNode([BIN, "approvals", "approve", slug, "--state-dir", stateDir]);
    expect(approved).toMatchObject({ exitCode: 0 });
    const again = await client.request("tools/call", touch("made.txt"));
    expect(again.result?.isError).toBeUndefined();
  });

  it("is told the words by which the server was told to be called", async () => {
    const { client } = await openServer({
      toolkit: ASKING,
      server: { approvalWaitMs: 50, command: "node '/a b/bin.js'" },
    });
    await client.initialize();
    const told = textOf(await client.request("tools/call", touch("made.txt")));
    expect(told).toMatch(/^ {2}node '\/a b\/bin\.js' approvals approve \w{8}/m);
    expect(told).toMatch(/`node '\/a b\/bin\.js' approvals deny \w{8}/);
  });

  it("is denied at once what only a program can ask about", async () => {
    const { client } = await openServer({
      files: { "a.txt": "secret" },
      toolkit: { hooks: { beforeCall: [() => ({ requireApproval: "Reading a file" })] } },
    });
    await client.initialize();
    const answer = await client.request("tools/call", {
      name: "read",
      arguments: { path: "a.txt" },
    });
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toContain("no one");
  });

  it("does not run a call that was denied meanwhile", async () => {
    const stateDir = await createTempFolder();
    const { client } = await openServer({
      toolkit: { ...ASKING, stateDir },
      server: { approvalWaitMs: 50 },
    });
    await client.initialize();
    const told = await client.request("tools/call", touch("not.txt"));
    const [, slug = ""] = /clawtools approvals deny (\w{8})/.exec(textOf(told)) ?? [];
    await runNode([BIN, "approvals", "deny", slug, "--state-dir", stateDir]);
    const again = await client.request("tools/call", touch("not.txt"));
    expect(textOf(again)).toContain("was denied by a person");
  });
});

describe("the same call made twice at once", () => {
  it("is two questions, and the one that was approved answers the next call", async () => {
    const stateDir = await createTempFolder();
    const { client } = await openServer({
      toolkit: { ...ASKING, stateDir },
      server: { approvalWaitMs: 50 },
    });
    await client.initialize();
    const call = { name: "exec", arguments: { command: "echo said" } };
    const told = await Promise.all([
      client.request("tools/call", call),
      client.request("tools/call", call),
    ]);
    const slugs = told.map((one) => /approvals approve (\w{8})/.exec(textOf(one))?.[1] ?? "");
    expect(new Set(slugs).size).toBe(2);
    for (const slug of slugs) {
      await runNode([BIN, "approvals", "approve", slug, "--state-dir", stateDir]);
      const again = await client.request("tools/call", call);
      expect(again.result?.isError).toBeUndefined();
      expect(textOf(again)).toContain("said");
    }
  });
});

describe("a question that waits when the server ends", () => {
  /** Two servers one after the other, as after a restart. */
  async function openTwice(end: (opened: OpenedServer) => Promise<void>) {
    const [stateDir, root] = [await createTempFolder(), await createTempFolder()];
    const wish = {
      toolkit: { ...ASKING, stateDir, root },
      server: { approvalWaitMs: 50 },
    };
    const ask = async ({ client }: OpenedServer) => {
      await client.initialize();
      const told = textOf(await client.request("tools/call", touch("made.txt")));
      return /clawtools approvals approve (\w{8}) --state-dir (\S+)/.exec(told)?.slice(1);
    };
    const first = await openServer(wish);
    const before = await ask(first);
    await end(first);
    await first.server.closed;
    await first.toolkit.close();
    return { stateDir, before, after: await ask(await openServer(wish)) };
  }

  it("is the same one after a restart, when its client has gone", async () => {
    const { before, after, stateDir } = await openTwice(async ({ input }) => void input.end());
    expect(before).toEqual([expect.any(String), stateDir]);
    expect(after).toEqual(before);
  });

  it("is the same one after a restart, when the server was closed", async () => {
    const { before, after } = await openTwice(({ server }) => server.close());
    expect(after).toEqual(before);
  });
});
