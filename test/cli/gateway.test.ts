// `clawtools gateway` as a real process, and the commands that talk to it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, createSandbox, type Sandbox } from "./run-cli.js";

const WAIT = { timeout: 120_000 };

interface Running {
  readonly child: ChildProcess;
  said(): string;
}

async function startGateway({ env, root }: Sandbox): Promise<Running> {
  const child = spawn(process.execPath, [BIN, "--root", root, "gateway", "--port", "0"], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  await expect.poll(() => said, WAIT).toMatch(/^Gateway: ws:\/\/127\.0\.0\.1:\d+/m);
  return { child, said: () => said };
}

describe("clawtools gateway", () => {
  it("395 · answers calls, status, logs and devices, and stops at SIGTERM", async () => {
    const sandbox = await createSandbox({ config: {} });
    const { child } = await startGateway(sandbox);
    const health = await sandbox.runHere("gateway", "call", "health");
    expect(JSON.parse(health.stdout)).toMatchObject({ ok: true });
    const status = await sandbox.runHere("status");
    expect(status).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("✓ running") });
    const askStatus = async () => (await sandbox.runHere("status")).stdout;
    await expect.poll(askStatus, WAIT).toMatch(/uptime +[1-9]\d* s/);
    const lines = await sandbox.runHere("logs", "--limit", "5");
    expect(lines).toMatchObject({ exitCode: 0 });
    expect(lines.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}gateway ready on ws:/m);
    const [entry = ""] = (await sandbox.runHere("logs", "--json")).stdout.split("\n");
    expect(JSON.parse(entry)).toMatchObject({ level: "info" });
    const model = ["--model", "debug/echo"];
    const job = ["cron", "add", "--every", "10m", ...model, "--json"];
    const added = await sandbox.runHere(...job, "--message", "hello");
    expect(JSON.parse(added.stdout)).toMatchObject({ payload: { model: "debug/echo" } });
    expect(await sandbox.runHere(...job, "--event", "hello")).toMatchObject({ exitCode: 2 });
    const add = (...rest: string[]) => sandbox.runHere("cron", "add", ...rest);
    const blind = await add("--every", "10m", "--message", "hello");
    expect(blind).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("has no model") });
    const late = await add("--at", "in 5 minutes", "--event", "hello");
    expect(late).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Use 10m") });
    const gone = await sandbox.runHere("cron", "rm", "nothing");
    expect(gone).toMatchObject({
      ...{ exitCode: 5, stdout: "" },
      stderr: 'No cron job "nothing". See `clawtools cron list`.\n',
    });
    await sandbox.runHere("cron", "disable", JSON.parse(added.stdout).id);
    const jobs = await sandbox.runHere("cron", "list");
    expect(jobs.stdout).toContain("Not shown: 1 disabled. --all lists them too.");
    const doctor = await sandbox.runHere("doctor");
    expect(doctor.stdout).not.toContain("also holds");
    const devices = await sandbox.runHere("devices", "list");
    expect(devices.stdout).toBe("No devices are paired.\n");
    const unknown = await sandbox.runHere("devices", "approve", "nothing", "--json");
    expect(unknown.exitCode).not.toBe(0);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ status: "error" });
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    const kept = await sandbox.runHere("logs", "--limit", "1");
    expect(kept).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("gateway closing") });
    expect(kept.stderr).toContain("The gateway is not running; this is the end of");
  });

  it("325 · restarts in place with the same pid", async () => {
    const sandbox = await createSandbox({ config: {} });
    const { child, said } = await startGateway(sandbox);
    child.kill("SIGUSR1");
    await expect.poll(said, WAIT).toContain("SIGUSR1 is ignored");
    const asked = await sandbox.runHere("gateway", "restart", "--reason", "a test");
    expect(asked).toMatchObject({ exitCode: 0, stdout: "The gateway is restarting.\n" });
    const lines = () => said().match(/^Gateway: .*\(pid \d+\)$/gm) ?? [];
    await expect.poll(() => lines().length, WAIT).toBe(2);
    const pids = lines().map((line) => /pid (\d+)/.exec(line)?.[1]);
    expect(pids).toEqual([String(child.pid), String(child.pid)]);
  });

  it("names the command that starts it when nothing listens", async () => {
    const sandbox = await createSandbox({ config: { gateway: { port: 1 } } });
    const { exitCode, stderr } = await sandbox.runHere("gateway", "call", "health");
    expect(exitCode).toBe(8);
    expect(stderr).toContain("not running at 127.0.0.1:1. Start it with `clawtools gateway start`");
  });

  it("says that another program holds the port", async () => {
    const other = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const sandbox = await createSandbox({ config: { gateway: { port } } });
    const { exitCode, stderr } = await sandbox.runHere("status");
    expect(exitCode).toBe(8);
    expect(stderr).toContain(`Something else answers at 127.0.0.1:${port}, not a gateway`);
  });

  it("never sends its own token to another gateway", async () => {
    const sandbox = await createSandbox({ config: {} });
    const run = await sandbox.runHere("gateway", "call", "health", "--url", "ws://127.0.0.1:1");
    expect(run).toMatchObject({ exitCode: 2, stderr: "--url needs --token.\n" });
  });

  it("lists the methods with their scopes", async () => {
    const { runHere } = await createSandbox();
    const help = await runHere("gateway", "call", "--help");
    expect(help.stdout).toMatch(/Methods:\n(?:.*\n)+ {2}config\.patch +Merges a patch/);
    const { stdout } = await runHere("gateway", "call", "--json");
    const row = expect.objectContaining({ name: "config.patch", scope: "operator.admin" });
    expect(JSON.parse(stdout)).toContainEqual(row);
  });
});
