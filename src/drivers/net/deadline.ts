// One limit for all that a request waits for: names, connections, redirects, the body. Leaner than
// an AbortSignal of its own, which would cost as much as the rest of a small request.
import { abortError, type ToolError } from "../../core/index.js";
import {
  redirectUnusable,
  schemeRefused,
  type UrlFault,
  urlInvalid,
  userinfoRefused,
} from "./errors.js";
import { hostOf } from "./policy.js";

const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Deadline {
  readonly error: ToolError | undefined;
  onOver(work: (error: ToolError) => void): () => void;
  race<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

export function startDeadline(request: {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onTimeout: () => ToolError;
}): Deadline {
  const { signal, timeoutMs, onTimeout } = request;
  const waiting = new Set<(error: ToolError) => void>();
  let over: ToolError | undefined;

  function stop(error: ToolError): void {
    if (over) return;
    over = error;
    end();
    for (const work of waiting) work(error);
    waiting.clear();
  }
  function end(): void {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
  function onOver(work: (error: ToolError) => void): () => void {
    if (over) work(over);
    else waiting.add(work);
    return () => void waiting.delete(work);
  }

  const giveUp = () => stop(abortError(signal));
  const timer = setTimeout(() => stop(onTimeout()), Math.min(Math.max(timeoutMs, 0), MAX_TIMER_MS));
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();

  return {
    get error() {
      return over;
    },
    onOver,
    race: (work) =>
      new Promise((resolve, reject) => {
        const forget = onOver(reject);
        work.then(resolve, reject).finally(forget);
      }),
    end,
  };
}

const SCHEMES = ["http:", "https:"];

type UrlReading =
  | { readonly url: URL; readonly fault?: undefined }
  | { readonly url: URL | undefined; readonly fault: UrlFault };

export function readUrl(text: string): URL {
  const { url, fault } = judgeUrl(text);
  if (fault === undefined) return url;
  if (fault === "scheme_refused") throw schemeRefused(url?.protocol ?? "");
  if (fault === "userinfo_refused") throw userinfoRefused(url ? hostOf(url) : "");
  throw urlInvalid(text);
}

/** As a server wrote it, of which nothing is repeated. Throws `invalid_input`. */
export function readLocation(
  location: string,
  { base, askedHost }: { readonly base: URL; readonly askedHost: string },
): URL {
  const { url, fault } = judgeUrl(location, base);
  if (fault === undefined) return url;
  throw redirectUnusable(askedHost, { fault, scheme: url?.protocol ?? "" });
}

function judgeUrl(text: string, base?: URL): UrlReading {
  if (!URL.canParse(text, base?.href)) return { url: undefined, fault: "url_invalid" };
  const url = new URL(text, base);
  if (!SCHEMES.includes(url.protocol)) return { url, fault: "scheme_refused" };
  const host = hostOf(url);
  if (host === "") return { url, fault: "url_invalid" };
  if (url.username !== "" || url.password !== "") return { url, fault: "userinfo_refused" };
  // "example.com." is the same host, and has to be so for origins and lists too.
  if (url.hostname.endsWith(".")) url.hostname = host;
  return { url };
}
