// The other ways to prove who one is: a password, and a proxy that has signed the user in.

import { expect, it } from "vitest";
import { type ConnectWish, type Frame, openClient, sendConnect } from "./client.js";
import { startGateway } from "./start-gateway.js";

const PASSWORD = "correct horse battery staple";

async function attempt(
  url: string,
  wish: ConnectWish,
  headers: Record<string, string> = {},
): Promise<Frame> {
  const client = openClient(url, headers);
  const answer = await sendConnect(client, wish);
  client.socket.terminate();
  return answer;
}

it("a password opens the gateway, a wrong one does not, and ten lock even the right one out", async () => {
  const config = { gateway: { auth: { mode: "password", password: PASSWORD } } } as const;
  const { gateway } = await startGateway({ config });
  expect((await attempt(gateway.url, { auth: { password: PASSWORD } })).ok).toBe(true);
  expect((await attempt(gateway.url, {})).error?.details?.code).toBe("DEVICE_IDENTITY_REQUIRED");
  const codes = [];
  for (let count = 0; count < 11; count++) {
    const { error } = await attempt(gateway.url, { auth: { password: `${PASSWORD}${count}` } });
    codes.push(error?.details?.code);
  }
  expect(codes.slice(0, 10)).toEqual(Array(10).fill("AUTH_PASSWORD_MISMATCH"));
  expect(codes.at(-1)).toBe("AUTH_RATE_LIMITED");
  const locked = await attempt(gateway.url, { auth: { password: PASSWORD } });
  expect(locked.error?.details?.code).toBe("AUTH_RATE_LIMITED");
});

it("wrong passwords over HTTP count for connections too", async () => {
  const config = { gateway: { auth: { mode: "password", password: PASSWORD } } } as const;
  const { gateway } = await startGateway({ config });
  const get = async (password: string) => {
    const headers = { authorization: `Bearer ${password}` };
    return (await fetch(`${gateway.httpUrl}/metrics`, { headers })).status;
  };
  expect(await get(PASSWORD)).toBe(200);
  for (let count = 0; count < 5; count++) expect(await get(`wrong-${count}`)).toBe(401);
  for (let count = 0; count < 5; count++) {
    const { error } = await attempt(gateway.url, { auth: { password: `wrong ${count}` } });
    expect(error?.details?.code).toBe("AUTH_PASSWORD_MISMATCH");
  }
  expect(await get(PASSWORD)).toBe(429);
  const locked = await attempt(gateway.url, { auth: { password: PASSWORD } });
  expect(locked.error?.details?.code).toBe("AUTH_RATE_LIMITED");
});

it("a short password is refused at the start with the key and the length", async () => {
  const config = { gateway: { auth: { mode: "password", password: "short" } } } as const;
  await expect(startGateway({ config })).rejects.toMatchObject({
    code: "invalid_input",
    message: "gateway.auth.password is too short: use at least 8 characters.",
  });
});

it("a trusted proxy signs users in; others cannot pretend to be one", async () => {
  const user = { "x-forwarded-for": "10.1.2.3", "x-forwarded-user": "ada" };
  const auth = { mode: "trusted-proxy" } as const;
  const trusting = { gateway: { auth, trustedProxies: ["127.0.0.1"] } };
  const { gateway } = await startGateway({ config: trusting });
  expect((await attempt(gateway.url, {}, user)).ok).toBe(true);
  const nameless = await attempt(gateway.url, {}, { "x-forwarded-for": "10.1.2.3" });
  expect(nameless.error?.details?.code).toBe("DEVICE_IDENTITY_REQUIRED");
  const { gateway: strict } = await startGateway({ config: { gateway: { auth } } });
  const pretending = openClient(strict.url, user);
  expect((await pretending.closed).code).toBe(1006);
  const bare = await attempt(strict.url, {}, { "x-forwarded-user": "ada" });
  expect(bare.ok).toBe(false);
});

it("wrong tokens of every kind get the same answer, so that none tells how close it was", async () => {
  const { gateway, token } = await startGateway();
  const another = (letter = "") => (letter === "A" ? "B" : "A");
  const wrong = [
    `${token.slice(0, -1)}${another(token.at(-1))}`,
    token.slice(0, -1),
    `${token}x`,
    `${another(token[0])}${token.slice(1)}`,
    token.toUpperCase(),
    "x",
    "x".repeat(200),
  ];
  const answers = [];
  for (const guess of wrong) {
    const { error } = await attempt(gateway.url, { auth: { token: guess } });
    answers.push(JSON.stringify(error));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain("AUTH_TOKEN_MISMATCH");
});

it("unknown fields are ignored where a newer client sends them", async () => {
  const { gateway, token, operator } = await startGateway();
  const more = { futureField: { deep: [1] }, caps: ["x"], locale: "en" };
  expect((await attempt(gateway.url, { auth: { token }, more })).ok).toBe(true);
  const client = await operator();
  expect((await client.request("health", { futureField: 1 })).ok).toBe(true);
  const unknown = await client.request("health.more");
  expect(unknown.error?.message).toBe("unknown method: health.more");
});
