// What the published OpenClaw 2026.9.6 command line sent, command by command, replayed against the
// gateway: every request succeeds, and every frame that comes back fits the published schema.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Frame, openClient } from "./client.js";
import { assertFits } from "./protocol-oracle.js";
import { startGateway, type TestGateway } from "./start-gateway.js";

interface Recording {
  readonly command: string;
  /** The requests of each connection; `TOKEN` and `BASE_HASH` stand for what the gateway gave. */
  readonly sockets: readonly (readonly RecordedRequest[])[];
}

interface RecordedRequest {
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
}

// Recorded between the real client and this gateway.
const RECORDINGS: readonly Recording[] = JSON.parse(
  readFileSync(new URL("../data/openclaw-frames.json", import.meta.url), "utf8"),
);

/** The published definition of an answer; the schema has none for the others. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  connect: "HelloOk",
  health: "Snapshot/properties/health",
  "logs.tail": "LogsTailResult",
  "exec.approvals.get": "ExecApprovalsSnapshot",
  "exec.approvals.set": "ExecApprovalsSnapshot",
};

async function replay({ gateway, token }: TestGateway, { sockets }: Recording): Promise<Frame[]> {
  const answers: Frame[] = [];
  let baseHash = "";
  for (const requests of sockets) {
    const client = openClient(gateway.url);
    await client.next(({ event }) => event === "connect.challenge");
    for (const request of requests) {
      const text = JSON.stringify(request).replace("TOKEN", token).replace("BASE_HASH", baseHash);
      client.send(text);
      const answer = await client.next(({ type, id }) => type === "res" && id === request.id);
      expect(answer.error, request.method).toBeUndefined();
      const definition = DEFINITIONS[request.method];
      if (definition !== undefined) assertFits(definition, answer.payload);
      if (request.method === "exec.approvals.get") {
        baseHash = (answer.payload as { hash: string }).hash;
      }
      answers.push(answer);
    }
    for (const frame of client.frames) {
      assertFits(frame.type === "res" ? "ResponseFrame" : "EventFrame", frame);
    }
    client.close();
  }
  return answers;
}

describe("the published client's", () => {
  it.each(RECORDINGS)("$command is answered as its protocol says", async (recording) => {
    const started = await startGateway();
    const answers = await replay(started, recording);
    expect(answers).toHaveLength(recording.sockets.flat().length);
  });

  it("allow list is kept, and a second write over the same base is refused", async () => {
    const started = await startGateway();
    const recording = RECORDINGS.find(({ command }) => command.includes("allowlist add"));
    if (recording === undefined) throw new Error("the recording of `allowlist add` is missing");
    await replay(started, recording);
    const kept = await started.gateway.call("exec.approvals.get");
    expect(JSON.stringify(kept)).toContain("/usr/bin/uptime");
    await replay(started, recording);
    const { gateway } = started;
    const stale = gateway.call("exec.approvals.set", { file: { version: 1 }, baseHash: "0" });
    await expect(stale).rejects.toThrow();
  });
});
