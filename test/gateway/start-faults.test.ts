// Starts that cannot work, as a real process: one sentence with the fix, and the exit code of its kind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { BIN, createSandbox } from "../cli/run-cli.js";
import { findOwnMounts } from "../contract/store/full-disk-cases.js";
import { makeDevice, openClient, sendConnect } from "./client.js";
import { startGateway } from "./start-gateway.js";

interface Ended {
  readonly exitCode: number | null;
  readonly said: string;
}

/** Runs to its end. `before`: a command that runs the rest. */
async function runGateway(
  args: readonly string[],
  { env, before = [] }: { env: Readonly<Record<string, string>>; before?: readonly string[] },
): Promise<Ended> {
  const [program = "", ...rest] = [...before, process.execPath, BIN, ...args];
  const child = spawn(program, rest, { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const [exitCode] = await once(child, "close");
  return { exitCode, said: said.replace(/\s+/g, " ") };
}

it("a config with an error names the key", async () => {
  const { env, root } = await createSandbox({ config: { gateway: { port: "high" } } });
  const { exitCode, said } = await runGateway(["--root", root, "gateway"], { env });
  expect(exitCode).toBe(2);
  expect(said).toContain("gateway.port");
});

it("a port that is taken is named, with what to do", async () => {
  const { env, root } = await createSandbox({ config: {} });
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const run = await runGateway(["--root", root, "gateway", "--port", port], { env });
  expect(run.exitCode).toBe(8);
  expect(run.said).toContain(`Cannot listen on 127.0.0.1:${port}: another program uses it. Stop`);
});

it("a state folder in use names the process that holds it", async () => {
  const { env, root, folder } = await createSandbox({ config: {} });
  await startGateway({ stateDir: join(folder, ".clawtools") });
  const run = await runGateway(["--root", root, "gateway", "--port", "0"], { env });
  expect(run.exitCode).toBe(6);
  expect(run.said).toContain(`is held by "clawtools gateway" (process ${process.pid}`);
});

const DISKS = [
  ["read-only", "-o ro", "cannot be written; give this user write permission"],
  ["full", "-o size=16k", "the disk is full; free some space"],
] as const;

it.each(DISKS)("a state folder on a %s disk says what to do", async (_, options, words) => {
  const { env, root, folder } = await createSandbox();
  const stateDir = join(folder, "disk");
  mkdirSync(stateDir);
  const mount = `mount -t tmpfs ${options} none "$0" && exec "$@"`;
  const before = [...findOwnMounts(), "sh", "-c", mount, stateDir];
  const args = ["--root", root, "--state-dir", stateDir, "gateway", "--port", "0"];
  const { exitCode, said } = await runGateway(args, { env, before });
  expect(said).toContain(words);
  expect(exitCode).toBe(8);
});

afterEach(() => void vi.useRealTimers());

it("a clock that was set back is reported, and devices and repeats stay what they were", async () => {
  const { gateway, root, stateDir, token } = await startGateway();
  const device = makeDevice(11);
  const first = openClient(gateway.url);
  const hello = await sendConnect(first, { device, auth: { token } });
  const { deviceToken } = (hello.payload as { auth: { deviceToken: string } }).auth;
  writeFileSync(join(root, "a.txt"), "hello");
  const call = { name: "read", args: { path: "a.txt" }, idempotencyKey: "one" };
  const answer = await gateway.call("tools.invoke", call);
  await gateway.close();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 24 * 60 * 60_000 });
  const lines: string[] = [];
  const onLog = ({ message }: { message: string }) => lines.push(message);
  const { gateway: next } = await startGateway({ root, stateDir, onLog });
  expect(lines.join("\n")).toContain("The clock is 24 hours behind");
  const client = openClient(next.url);
  expect((await sendConnect(client, { device, auth: { deviceToken } })).ok).toBe(true);
  expect(await next.call("tools.invoke", call)).toEqual(answer);
  client.socket.terminate();
});
