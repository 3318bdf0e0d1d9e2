// The handshake: every row of the protocol's table of failures, devices by signature, and pairing.

import { describe, expect, it } from "vitest";
import { type ConnectWish, type Frame, makeDevice, openClient, sendConnect } from "./client.js";
import { assertFits } from "./protocol-oracle.js";
import { startGateway } from "./start-gateway.js";

const node = { id: "node-host", mode: "node", version: "1", platform: "linux" };

async function attempt(
  url: string,
  wish: ConnectWish,
): Promise<{ answer: Frame; code: number | undefined }> {
  const client = openClient(url);
  const answer = await sendConnect(client, wish);
  const code = answer.ok ? undefined : (await client.closed).code;
  client.close();
  return { answer, code };
}

describe("a refused connection", () => {
  const device = makeDevice(1);
  const stranger = makeDevice(2);
  it.each<[string, ConnectWish, number, string, string | undefined]>([
    [
      "a wrong token",
      { auth: { token: "x".repeat(40) } },
      1008,
      "unauthorized: gateway token mismatch",
      "AUTH_TOKEN_MISMATCH",
    ],
    [
      "a wrong token with a right prefix",
      { auth: { token: "" } },
      1008,
      "device identity required",
      "DEVICE_IDENTITY_REQUIRED",
    ],
    [
      "no credential and no device",
      {},
      1008,
      "device identity required",
      "DEVICE_IDENTITY_REQUIRED",
    ],
    [
      "a device without a credential",
      { device },
      1008,
      "unauthorized: gateway token missing",
      "AUTH_TOKEN_MISSING",
    ],
    [
      "an unknown device token",
      { device, auth: { deviceToken: "y".repeat(43) } },
      1008,
      "unauthorized: device token mismatch",
      "AUTH_DEVICE_TOKEN_MISMATCH",
    ],
    [
      "an old protocol",
      { protocol: [1, 2], auth: { token: "TOKEN" } },
      1002,
      "protocol mismatch",
      "PROTOCOL_MISMATCH",
    ],
    [
      "a role that does not exist",
      { role: "root", auth: { token: "TOKEN" } },
      1008,
      "invalid role",
      undefined,
    ],
    [
      "a node without a device",
      { role: "node", client: node, auth: { token: "TOKEN" } },
      1008,
      "device identity required",
      "DEVICE_IDENTITY_REQUIRED",
    ],
    [
      "a control page without a device",
      { client: { id: "openclaw-control-ui", mode: "webchat" }, auth: { token: "TOKEN" } },
      1008,
      "control ui requires device identity",
      "CONTROL_UI_DEVICE_IDENTITY_REQUIRED",
    ],
    [
      "a nonce of another connection",
      { device, nonce: "other", auth: { token: "TOKEN" } },
      1008,
      "device nonce mismatch",
      "DEVICE_AUTH_NONCE_MISMATCH",
    ],
    [
      "an old signature",
      { device, signedAt: Date.now() - 180_000, auth: { token: "TOKEN" } },
      1008,
      "device signature expired",
      "DEVICE_AUTH_SIGNATURE_EXPIRED",
    ],
    [
      "the id of another device",
      { device: { ...device, id: stranger.id }, auth: { token: "TOKEN" } },
      1008,
      "device identity mismatch",
      "DEVICE_AUTH_DEVICE_ID_MISMATCH",
    ],
    [
      "the signature of another key",
      { device: { ...device, sign: stranger.sign }, auth: { token: "TOKEN" } },
      1008,
      "device signature invalid",
      "DEVICE_AUTH_SIGNATURE_INVALID",
    ],
    [
      "a mode that does not exist",
      { client: { mode: "spaceship" }, auth: { token: "TOKEN" } },
      1008,
      "invalid connect params: at client.mode",
      undefined,
    ],
  ])("%s", async (_, wish, code, message, detail) => {
    const { gateway, token } = await startGateway();
    const auth = wish.auth?.token === "TOKEN" ? { auth: { token } } : {};
    const { answer, code: closedWith } = await attempt(gateway.url, { ...wish, ...auth });
    expect(answer.error?.message).toMatch(new RegExp(`^${message}`));
    expect(answer.error?.details?.code).toBe(detail);
    expect(closedWith).toBe(code);
    assertFits("ResponseFrame", answer);
  });

  it("ends when the first frame is not connect, or is not JSON", async () => {
    const { gateway } = await startGateway();
    const early = openClient(gateway.url);
    await early.next(({ event }) => event === "connect.challenge");
    const answer = await early.request("health");
    expect(answer.error?.message).toBe("invalid handshake: first request must be connect");
    expect((await early.closed).code).toBe(1008);
    const noise = openClient(gateway.url);
    await noise.next(({ event }) => event === "connect.challenge");
    noise.send("hello?");
    expect((await noise.closed).code).toBe(1000);
  });
});

describe("a device", () => {
  it.each([2, 3] as const)(
    "is paired on this machine by signature v%i and keeps its token",
    async (signature) => {
      const { gateway, token } = await startGateway();
      const device = makeDevice(3);
      const wish = { device, signature, scopes: ["operator.read"], protocol: [3, 4] as const };
      const first = await attempt(gateway.url, { ...wish, auth: { token } });
      assertFits("HelloOk", first.answer.payload);
      const hello = first.answer.payload as { auth: { deviceToken: string; scopes: string[] } };
      expect(hello.auth.deviceToken).toHaveLength(43);
      for (const auth of [
        { deviceToken: hello.auth.deviceToken },
        { token: hello.auth.deviceToken },
      ]) {
        const again = await attempt(gateway.url, { ...wish, auth });
        expect(again.answer.payload).toMatchObject({ auth: hello.auth });
      }
    },
  );

  it("keeps its token over a restart, and loses it when it is revoked, at once", async () => {
    const { gateway, token, root, stateDir } = await startGateway();
    const device = makeDevice(4);
    const wish = { device, scopes: ["operator.read"] };
    const first = await attempt(gateway.url, { ...wish, auth: { token } });
    const { deviceToken } = (first.answer.payload as { auth: { deviceToken: string } }).auth;
    await gateway.close();
    const { gateway: next } = await startGateway({ root, stateDir });
    const client = openClient(next.url);
    const hello = await sendConnect(client, { ...wish, auth: { deviceToken } });
    expect(hello.ok).toBe(true);
    await next.call("device.token.revoke", { deviceId: device.id, role: "operator" });
    expect((await client.closed).code).toBe(1008);
    const stolen = await attempt(next.url, { ...wish, auth: { deviceToken } });
    expect(stolen.answer.error?.details?.code).toBe("AUTH_DEVICE_TOKEN_MISMATCH");
  });

  it("gets its new token before a rotation ends its connections, with the fewer scopes", async () => {
    const { gateway, token } = await startGateway();
    const device = makeDevice(6);
    const wish = { device, scopes: ["operator.pairing", "operator.write"] };
    const [own, second] = [openClient(gateway.url), openClient(gateway.url)];
    await sendConnect(own, { ...wish, auth: { token } });
    await sendConnect(second, { ...wish, auth: { token } });
    const scopes = ["operator.read"];
    const params = { deviceId: device.id, role: "operator", scopes };
    const rotated = await own.request("device.token.rotate", params);
    expect(rotated.payload).toMatchObject({ scopes, tokenDelivery: "in-band" });
    expect((await own.closed).code).toBe(1008);
    expect((await second.closed).code).toBe(1008);
    const { token: deviceToken } = rotated.payload as { token: string };
    const again = await attempt(gateway.url, { device, scopes, auth: { deviceToken } });
    expect(again.answer.payload).toMatchObject({ auth: { scopes } });
    const more = await attempt(gateway.url, { ...wish, auth: { deviceToken } });
    expect(more.answer.error?.details).toMatchObject({ reason: "scope-upgrade" });
  });

  it("cannot raise its scopes by itself", async () => {
    const { gateway, token } = await startGateway();
    const device = makeDevice(5);
    const read = ["operator.read"];
    const first = await attempt(gateway.url, { device, scopes: read, auth: { token } });
    const { deviceToken } = (first.answer.payload as { auth: { deviceToken: string } }).auth;
    const wish = { device, auth: { deviceToken } };
    const raised = await attempt(gateway.url, { ...wish, scopes: ["operator.admin"] });
    expect(raised.answer.error?.details).toMatchObject({
      code: "PAIRING_REQUIRED",
      reason: "scope-upgrade",
      recommendedNextStep: "wait_then_retry",
    });
    const requestId = String(raised.answer.error?.details?.requestId);
    const approver = { role: "operator", scopes: ["operator.pairing"], connId: "t" } as const;
    await expect(
      gateway.call("device.pair.approve", { requestId }, { principal: approver }),
    ).rejects.toThrow("missing scope: operator.admin");
    await gateway.call("device.pair.approve", { requestId });
    const approved = await attempt(gateway.url, { ...wish, scopes: ["operator.admin"] });
    expect(approved.answer.payload).toMatchObject({ auth: { scopes: ["operator.admin"] } });
  });
});
