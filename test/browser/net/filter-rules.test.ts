// What the filtering proxy refuses beside the address policy: ports of our own, origins, other users.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createFilterProxy, type FilterOptions } from "../../../src/drivers/net/index.js";
import { outcomeOf, PUBLIC_ADDRESS } from "../../security/net/net-setting.js";
import {
  ALLOWED,
  askVia,
  createSetting,
  dialFilter,
  LOOPBACK,
  originOf,
  type Setting,
} from "./filter-setting.js";

const run = promisify(execFile);
const NOBODY = 65_534;
const { signal } = new AbortController();

const extras: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const extra of extras.splice(0)) await extra.close();
});

async function settingWith(options: FilterOptions = {}): Promise<Setting> {
  const setting = await createSetting((_request, response) => void response.end("hello"), options);
  extras.push(setting);
  return setting;
}

async function judgeWith(options: FilterOptions) {
  const filter = await createFilterProxy({
    environment: {},
    resolve: async () => [PUBLIC_ADDRESS],
    ...options,
  });
  extras.push(filter);
  return (url: string) => outcomeOf(filter.judge(url, { signal }));
}

describe("ports of our own", () => {
  const policy = { allowedHostnames: [LOOPBACK, ALLOWED, "::1", "localhost"] };

  it("the proxy does not ask itself", async () => {
    const { filter } = await settingWith({ policy });
    const { status } = await askVia(filter, `http://${LOOPBACK}:${filter.address.port}/`);
    expect(status).toBe(403);
    expect(filter.problems()[0]?.error.message).toContain("belongs to clawtools");
  });

  it.each([
    `http://${LOOPBACK}:18800/json`,
    "http://localhost:18899/",
    "ws://[::1]:18850/devtools",
  ])("%s is a door to a browser, and stays closed whatever the policy allows", async (url) => {
    expect(await (await judgeWith({ policy }))(url)).toBe("address_refused");
    const everything = { dangerouslyAllowPrivateNetwork: true };
    expect(await (await judgeWith({ policy: everything }))(url)).toBe("address_refused");
  });

  it("the same port of another machine is a port like others", async () => {
    expect(await (await judgeWith({ policy }))("http://a.example:18850/")).toBe("ok");
  });

  it("a port is refused from the moment it is named until that is taken back", async () => {
    const { filter, canary } = await settingWith({ policy, denyPorts: [9] });
    const url = originOf(canary, LOOPBACK);
    expect((await askVia(filter, url)).status).toBe(200);
    const takeBack = filter.refusePort(canary.port);
    expect((await askVia(filter, url)).status).toBe(403);
    takeBack();
    expect((await askVia(filter, url)).status).toBe(200);
    expect(await outcomeOf(filter.judge(`http://${LOOPBACK}:9/`, { signal }))).toBe(
      "address_refused",
    );
  });
});

describe("origins", () => {
  it.each([
    ["https://a.example", "https://a.example/x", "ok"],
    ["https://a.example", "wss://a.example/x", "ok"],
    ["https://a.example", "http://a.example/x", "host_refused"],
    ["https://a.example", "https://b.a.example/", "host_refused"],
    ["https://a.example:8443/", "https://a.example:8443/", "ok"],
    ["http://a.example:*", "https://a.example:9/", "ok"],
    ["a.example", "http://a.example/", "ok"],
    ["a.example", "https://a.example/", "ok"],
    ["a.example", "https://a.example:8443/", "host_refused"],
    ["*.a.example", "https://b.a.example/", "ok"],
    ["*.a.example", "https://a.example/", "host_refused"],
    ["HTTPS://A.Example", "https://a.example/", "ok"],
  ])("with only %s allowed, %s: %s", async (origin, url, outcome) => {
    expect(await (await judgeWith({ allowedOrigins: [origin] }))(url)).toBe(outcome);
    const opposite = outcome === "ok" ? "host_refused" : "ok";
    expect(await (await judgeWith({ blockedOrigins: [origin] }))(url)).toBe(opposite);
  });

  it("an origin on the list is still judged by its address", async () => {
    const judge = await judgeWith({ allowedOrigins: ["http://127.0.0.1"] });
    expect(await judge("http://127.0.0.1/")).toBe("address_refused");
  });

  it("no origin is allowed by an empty list", async () => {
    expect(await (await judgeWith({ allowedOrigins: [] }))("http://a.example/")).toBe(
      "host_refused",
    );
  });

  it.each([
    "https://a.example/path",
    "",
    "https://",
    "a b",
    "https://u@a.example",
    "a.example:99999",
  ])("%j is no origin, and said so at once", async (origin) => {
    const made = createFilterProxy({ allowedOrigins: [origin], environment: {} });
    await expect(made).rejects.toMatchObject({
      code: "invalid_input",
      reason: "ssrf_policy_invalid",
      message: expect.stringContaining("browser.allowedOrigins"),
    });
  });
});

describe("the judgement without a connection", () => {
  it("names the key of the policy that it was given, and is noted", async () => {
    const { filter } = await settingWith({ policyKey: "browser.ssrfPolicy", policy: {} });
    await expect(filter.judge("http://10.0.0.5/", { signal })).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("add the host to browser.ssrfPolicy.allowedHostnames"),
    });
    expect(filter.problemOf("http://10.0.0.5/x", { sinceMs: 0 })).toBeDefined();
  });

  it("lets pass what makes no connection", async () => {
    const { filter } = await settingWith();
    for (const url of ["about:blank", "data:text/html,x"]) {
      await expect(filter.judge(url, { signal }), url).resolves.toBeUndefined();
    }
  });

  it("is refused for a policy that cannot be meant so", async () => {
    const made = createFilterProxy({
      policy: { allowedHostnames: ["http://x"] },
      policyKey: "browser.ssrfPolicy",
    });
    await expect(made).rejects.toMatchObject({
      message: expect.stringContaining("browser.ssrfPolicy.allowedHostnames"),
    });
  });
});

describe("other users of this machine", () => {
  const client = (port: number, url: string) =>
    `require("http").get({ agent: false, host: "127.0.0.1", port: ${port}, path: ${JSON.stringify(url)} }, (answer) => console.log(answer.statusCode, answer.resume().headers["clawtools-filter"])).on("error", (error) => console.log(error.code))`;

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)("are not served", async () => {
    const { filter, server } = await settingWith();
    const script = client(filter.address.port, originOf(server));
    const own = await run(process.execPath, ["-e", script]);
    expect(own.stdout.trim()).toBe("200 undefined");
    const other = await run(process.execPath, ["-e", script], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: "/",
    });
    expect(other.stdout.trim()).toBe("403 stranger_refused");
    expect(server.hits()).toBe(1);
  });

  it("are told apart by the answer that is passed in", async () => {
    const { filter, server } = await settingWith({ isOwnClient: async () => false });
    expect((await askVia(filter, originOf(server))).status).toBe(403);
    expect(server.hits()).toBe(0);
  });
});

describe("many at once", () => {
  it("two hundred requests are all answered, while slow clients hold their heads back", async () => {
    const { filter, server } = await settingWith();
    const slow = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = await dialFilter(filter);
        socket.write("GET http://");
        return socket;
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => askVia(filter, `${originOf(server)}/${index}`)),
    );
    expect(answers.filter(({ status, body }) => status !== 200 || body !== "hello")).toEqual([]);
    for (const socket of slow) socket.destroy();
  });

  it("of two thousand refusals the newest two hundred stay", async () => {
    const { filter } = await settingWith();
    const refusals = Array.from({ length: 2_000 }, (_, index) =>
      filter
        .judge(`http://10.0.0.${index % 250}:${index + 1}/`, {
          signal: new AbortController().signal,
        })
        .catch(() => undefined),
    );
    await Promise.all(refusals);
    expect(filter.problems()).toHaveLength(200);
    expect(filter.problems().at(-1)?.port).toBe(2_000);
  });
});
