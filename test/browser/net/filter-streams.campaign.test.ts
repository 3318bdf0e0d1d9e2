// Large bodies through the filtering proxy: they arrive whole, and what one side does not take the other
// does not send, so that nothing piles up in between.
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { campaignSize, reportCampaign } from "../../fakes/campaign.js";
import {
  ALLOWED,
  connectVia,
  createSetting,
  LOOPBACK,
  originOf,
  type Setting,
} from "./filter-setting.js";

const MEGABYTE = 1024 * 1024;
const TOTAL_BYTES = campaignSize({ slice: 48, campaign: 400 }) * MEGABYTE;
const CHUNK = Buffer.alloc(64 * 1024, "x");
/** Buffers of the kernel on four sockets, and ours; far below what is sent. */
const MAX_HELD_BYTES = 24 * MEGABYTE;
/** So long nothing moves when everything is full. */
const STILL_MS = 250;
const MAX_TEST_MS = campaignSize({ slice: 240_000, campaign: 30 * 60_000 });
const TITLES = {
  download: "a download waits for a client that does not read, and then arrives whole",
  upload: "an upload waits for a server that does not read, and then arrives whole",
  tunnel: "a tunnel waits for a client that does not read, and then carries everything",
};

let setting: Setting;
afterEach(() => setting.close());

interface Sender {
  write(chunk: Buffer): boolean;
  end(): unknown;
  once(event: "drain", listener: () => void): unknown;
}

/** Sends all of it as fast as it is taken; what it returns tells how much that was so far. */
function pour(into: Sender): { sent(): number } {
  let sent = 0;
  const more = () => {
    while (sent < TOTAL_BYTES) {
      sent += CHUNK.length;
      if (!into.write(CHUNK)) return void into.once("drain", more);
    }
    into.end();
  };
  more();
  return { sent: () => sent };
}

/** The bytes that were taken when no more of them were for a while. */
async function untilStill(sent: () => number): Promise<number> {
  let last = -1;
  while (last !== sent() || last === 0) {
    last = sent();
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  }
  return last;
}

async function drain(source: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

function ask(method: string): ClientRequest {
  const { host, port } = setting.filter.address;
  const path = `${originOf(setting.server)}/`;
  return request({ host, port, path, method, agent: false });
}

describe("large bodies", () => {
  it("pile up in a proxy that hands on without waiting (the control)", async () => {
    let poured: ReturnType<typeof pour> | undefined;
    setting = await createSetting((_request, response) => {
      poured = pour(response);
    });
    const naive = createServer((client) => {
      const upstream = connect(setting.server.port, ALLOWED);
      client.on("data", (chunk) => upstream.write(chunk));
      upstream.on("data", (chunk) => client.write(chunk));
      for (const socket of [client, upstream]) {
        socket.on("error", () => undefined);
        socket.on("close", () => upstream.destroy());
      }
    });
    await new Promise<void>((resolve) => naive.listen(0, LOOPBACK, resolve));
    // A server that listens on a port has an address of this kind.
    const client = connect((naive.address() as AddressInfo).port, LOOPBACK);
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await untilStill(() => poured?.sent() ?? 0)).toBeGreaterThan(MAX_HELD_BYTES);
    client.destroy();
    naive.close();
  });

  it(
    TITLES.download,
    async () => {
      let poured: ReturnType<typeof pour> | undefined;
      setting = await createSetting((_request, response) => {
        poured = pour(response);
      });
      const sent = ask("GET").end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const held = await untilStill(() => poured?.sent() ?? 0);
      expect(held).toBeLessThan(MAX_HELD_BYTES);
      expect(await drain(answer)).toBe(TOTAL_BYTES);
      reportCampaign({ title: TITLES.download, size: TOTAL_BYTES });
    },
    MAX_TEST_MS,
  );

  it(
    TITLES.upload,
    async () => {
      const met: [IncomingMessage, ServerResponse][] = [];
      setting = await createSetting((incoming, response) => met.push([incoming, response]));
      const sent = ask("POST");
      const poured = pour(sent);
      const held = await untilStill(poured.sent);
      expect(held).toBeLessThan(MAX_HELD_BYTES);
      while (met.length === 0) await new Promise(setImmediate);
      const [[incoming, response] = []] = met;
      if (!incoming || !response) throw new Error("the upload has not begun");
      expect(await drain(incoming)).toBe(TOTAL_BYTES);
      response.end("thanks");
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      expect(await drain(answer)).toBe("thanks".length);
      reportCampaign({ title: TITLES.upload, size: TOTAL_BYTES });
    },
    MAX_TEST_MS,
  );

  it(
    TITLES.tunnel,
    async () => {
      let poured: ReturnType<typeof pour> | undefined;
      setting = await createSetting((_request, response) => {
        response.setHeader("connection", "close");
        response.setHeader("content-length", TOTAL_BYTES);
        poured = pour(response);
      });
      const authority = originOf(setting.server).replace("http://", "");
      const { socket } = await connectVia(setting.filter, authority);
      socket.write(`GET / HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
      const held = await untilStill(() => poured?.sent() ?? 0);
      expect(held).toBeLessThan(MAX_HELD_BYTES);
      // The head of the answer comes along.
      expect(await drain(socket)).toBeGreaterThan(TOTAL_BYTES);
      reportCampaign({ title: TITLES.tunnel, size: TOTAL_BYTES });
    },
    MAX_TEST_MS,
  );
});
