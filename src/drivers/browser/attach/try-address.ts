// Whether anybody answers at the address of a browser that runs already. Nothing is attached to.

import { isToolError, type Net } from "../../../core/index.js";
import { readEndpoint } from "./ask-endpoint.js";
import { toAttachError } from "./attach-browser.js";
import { readCdpUrl } from "./cdp-url.js";

const MAX_ANSWER_BYTES = 100_000;

export interface AddressTrial {
  readonly cdpUrl: string;
  readonly net: Pick<Net, "fetch">;
  /** Rejects where the address may not be reached. */
  readonly judge: (url: string) => Promise<void>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One sentence with what to do; undefined when someone answers. Rejects with the abort alone. */
export async function findAddressFault(trial: AddressTrial): Promise<string | undefined> {
  try {
    await tryAddress(trial);
    return undefined;
  } catch (error) {
    trial.signal.throwIfAborted();
    if (!isToolError(error)) throw error;
    return error.message;
  }
}

async function tryAddress({ cdpUrl, net, judge, timeoutMs, signal }: AddressTrial): Promise<void> {
  const address = readCdpUrl(cdpUrl);
  const { url, headers, isSocket } = address;
  await judge(url.href);
  try {
    if (!isSocket) {
      const { origin: base, search } = url;
      await readEndpoint({ net, base, headers, search, timeoutMs, signal });
      return;
    }
    // A socket is opened only to attach; whatever answers a plain request there is someone.
    await net.fetch({
      ...{ url: url.href.replace(/^ws/, "http"), headers, signal },
      limits: { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
      alsoAllowedHostnames: [url.hostname],
    });
  } catch (error) {
    throw toAttachError(error, address);
  }
}
