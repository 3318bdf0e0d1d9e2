// Approvals over the wire: a real command waits, every operator who may answer is told, and the first
// answer counts.

import { expect, it } from "vitest";
import { startGateway } from "./start-gateway.js";

const config = { tools: { exec: { ask: "always", security: "allowlist" } } } as const;

interface Shown {
  readonly id: string;
  readonly request: { readonly command: string };
}

it("announces a command that waits, and runs it once an operator allows it", async () => {
  const { operator } = await startGateway({ config });
  const worker = await operator({ scopes: ["operator.write"] });
  const asked = await operator({ scopes: ["operator.approvals"] });
  const other = await operator({ scopes: ["operator.approvals"] });
  const reader = await operator({ scopes: ["operator.read"] });
  const call = worker.request("tools.invoke", { name: "exec", args: { command: "echo approved" } });
  const event = await asked.next((frame) => frame.event === "exec.approval.requested");
  const { id, request } = event.payload as Shown;
  expect(request.command).toBe("echo approved");
  const listed = await other.request("exec.approval.list");
  expect(listed.payload).toMatchObject([{ id }]);
  const answer = await other.request("exec.approval.resolve", { id, decision: "allow-once" });
  expect(answer.ok).toBe(true);
  expect(JSON.stringify((await call).payload)).toContain("approved");
  await asked.next((frame) => frame.event === "exec.approval.resolved");
  const late = await asked.request("exec.approval.resolve", { id, decision: "deny" });
  expect(late.ok).toBe(false);
  expect(reader.frames.some(({ event: name }) => name?.startsWith("exec.approval"))).toBe(false);
});

it("does not run a command that an operator denies", async () => {
  const { operator } = await startGateway({ config });
  const client = await operator();
  const call = client.request("tools.invoke", { name: "exec", args: { command: "echo never" } });
  const event = await client.next((frame) => frame.event === "exec.approval.requested");
  const { id } = event.payload as Shown;
  await client.request("exec.approval.resolve", { id, decision: "deny" });
  expect((await call).payload).toMatchObject({ ok: false });
});

it("answers the request of a client with the decision, or null when nobody decides in time", async () => {
  const { operator } = await startGateway();
  const client = await operator();
  const answered = client.request("exec.approval.request", { id: "one", command: "rm -r x" });
  await client.next((frame) => frame.event === "exec.approval.requested");
  const twice = await client.request("exec.approval.resolve", { id: "one", decision: "sometimes" });
  expect(twice.error?.message).toContain("allow-once, allow-always, deny");
  await client.request("exec.approval.resolve", { id: "one", decision: "allow-once" });
  expect((await answered).payload).toMatchObject({ id: "one", decision: "allow-once" });
  const late = await client.request("exec.approval.request", { command: "ls", timeoutMs: 1 });
  expect(late.payload).toMatchObject({ decision: null });
  const unknown = await client.request("exec.approval.resolve", { id: "zzzz", decision: "deny" });
  expect(unknown.error).toMatchObject({
    code: "APPROVAL_NOT_FOUND",
    message: "unknown approval id",
  });
});

it("reads and replaces the list, and keeps what the protocol does not carry", async () => {
  const { gateway } = await startGateway();
  type List = { hash: string; file: { version: number; agents: Record<string, unknown> } };
  const empty = (await gateway.call("exec.approvals.get")) as List;
  const agents = { main: { allowlist: [{ id: "a", pattern: "/usr/bin/uptime" }] } };
  const file = { ...empty.file, agents };
  const set = (await gateway.call("exec.approvals.set", { file, baseHash: empty.hash })) as List;
  expect(set.file.agents).toEqual(agents);
  const stale = gateway.call("exec.approvals.set", { file, baseHash: empty.hash });
  await expect(stale).rejects.toThrow("exec approvals changed since last load");
});

it("tells the session that asked about an answer that came too late", async () => {
  const { operator } = await startGateway({
    config: {
      ...{ ...config, approvals: { timeoutMs: 1_000 } },
      agents: { defaults: { model: "debug/parrot-1" } },
    },
  });
  const client = await operator();
  const params = { name: "exec", args: { command: "echo slow" }, sessionKey: "agent:main:main" };
  const call = client.request("tools.invoke", params);
  const event = await client.next((frame) => frame.event === "exec.approval.requested");
  const { id } = event.payload as Shown;
  expect((await call).payload).toMatchObject({ ok: false });
  const late = await client.request("exec.approval.resolve", { id, decision: "allow-once" });
  expect(late.ok).toBe(false);
  await client.request("agent", { message: "and now?", idempotencyKey: "after" });
  const wait = { runId: "after", timeoutMs: 60_000 };
  expect((await client.request("agent.wait", wait)).payload).toMatchObject({ status: "ok" });
  const history = await client.request("chat.history", { sessionKey: "main" });
  expect(JSON.stringify(history.payload)).toMatch(
    /\[System event\].{1,80}answered .{1,6}allow-once.{1,40}echo slow.{1,100}Run the command again/,
  );
});
