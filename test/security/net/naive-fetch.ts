// A fetch as it is often written: the name is checked once, then whatever it leads to is connected to.
import { request } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import type { DialTarget } from "./net-setting.js";

const LOCAL = /^(?:localhost|127\.0\.0\.1|10\.|192\.168\.)/;
const MAX_REDIRECTS = 5;

export interface NaiveOptions {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly dial: (target: DialTarget) => Socket;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function naiveFetch(text: string, options: NaiveOptions): Promise<void> {
  let url = new URL(text);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (hop === 0 && LOCAL.test(host)) throw new Error("refused");
    if (isIP(host) === 0) {
      const checked = await options.resolve(host);
      if (checked.some((address) => LOCAL.test(address))) throw new Error("refused");
    }
    const addresses = isIP(host) === 0 ? await options.resolve(host) : [host];
    const location = await send({ url, addresses, options });
    if (location === undefined) return;
    url = new URL(location, url);
  }
}

function send(hop: {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly options: NaiveOptions;
}): Promise<string | undefined> {
  const { url, addresses, options } = hop;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        path: url.pathname,
        headers: { host: url.host, connection: "close", ...options.headers },
        createConnection: () => options.dial({ addresses, port: Number(url.port || 80) }),
      },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.headers.location));
        response.once("error", reject);
      },
    );
    sent.once("error", reject);
    sent.end();
  });
}
