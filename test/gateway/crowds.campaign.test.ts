// Many clients at once that hold on to the gateway: they are cut, and others are served meanwhile.

import { describe, expect, it } from "vitest";
import { campaignSize, reportCampaign } from "../fakes/campaign.js";
import { openClient, type RawClient } from "./client.js";
import { assertServes, openRaw, startGateway } from "./start-gateway.js";

const MANY = campaignSize({ slice: 100, campaign: 1_000 });
const MUTES = campaignSize({ slice: 10, campaign: 1_000 });
const HALF_OPEN = "half-open handshakes are cut, and others are served meanwhile";
const SLOW = "slow heads are cut, and others are served meanwhile";
const MUTE = "those that never read are ended, and others get their events";

describe("clients that hold on", () => {
  it(HALF_OPEN, async () => {
    const started = await startGateway();
    const idle: RawClient[] = Array.from({ length: MANY }, () => openClient(started.gateway.url));
    await Promise.all(idle.map((one) => one.next(({ event }) => event === "connect.challenge")));
    await assertServes(started);
    const ends = await Promise.all(idle.map((one) => one.closed));
    expect(ends).toHaveLength(MANY);
    reportCampaign({ title: HALF_OPEN, size: MANY });
  });

  it(SLOW, async () => {
    const started = await startGateway();
    const sockets = await Promise.all(
      Array.from({ length: MANY }, () => openRaw(started.gateway.port)),
    );
    const ended = sockets.map((socket) => new Promise((done) => socket.once("close", done)));
    for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHo");
    await assertServes(started);
    for (const socket of sockets) socket.resume();
    await Promise.all(ended);
    reportCampaign({ title: SLOW, size: MANY });
  });

  it(MUTE, async () => {
    const started = await startGateway();
    const mutes = await Promise.all(Array.from({ length: MUTES }, () => started.operator()));
    for (const mute of mutes) mute.socket.pause();
    const reader = await started.operator();
    const text = "x".repeat(256 * 1024);
    const { events, connections } = started.gateway.services;
    const loud = async () => {
      events.emit("agent", { count: sent, text });
      // Ticks come in between, so the sequence number does not tell.
      await reader.next(({ payload }) => Reflect.get(Object(payload), "count") === sent);
    };
    let sent = 0;
    while (connections.count > 1 && sent < 200) {
      sent++;
      await loud();
    }
    expect(connections.count).toBe(1);
    expect(reader.frames.filter(({ event }) => event === "agent")).toHaveLength(sent);
    reportCampaign({ title: MUTE, size: MUTES });
  });
});
