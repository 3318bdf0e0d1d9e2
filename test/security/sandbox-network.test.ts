// The network of the sandbox by name: allowed hosts answer through the proxy, and nothing else is
// reached by any way that a command can try. And commits have an author.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createSandboxToolkits, execOf } from "./sandbox-toolkit.js";

const { makeFolder, open } = createSandboxToolkits();
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

/** Answers with the Host header that it was asked by. */
async function serve(): Promise<{ readonly port: number; asked(): number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    response.setHeader("connection", "close");
    response.end(`served ${request.headers.host}`);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server that listens on a port has an address of this kind.
  return { port: (server.address() as AddressInfo).port, asked: () => count };
}

/** A registry of one package, which says hello. */
async function serveRegistry(folder: string) {
  mkdirSync(join(folder, "package"));
  const manifest = { name: "said", version: "1.0.0", main: "index.js" };
  writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package/index.js"), 'module.exports = "hello from said";');
  const tarball = execFileSync("tar", ["-C", folder, "-cz", "package"]);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(url);
    response.setHeader("connection", "close");
    if (url !== "/said") return void response.end(tarball);
    const dist = { tarball: `http://${headers.host}/said/-/said-1.0.0.tgz`, integrity };
    const versions = { "1.0.0": { ...manifest, dist } };
    response.end(JSON.stringify({ name: "said", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server that listens on a port has an address of this kind.
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

/** localhost is opened by the policy of the network; which of its ports, by the list. */
function start(
  allow: readonly string[],
  { allowedHostnames = ["localhost"], root = makeFolder() } = {},
) {
  return execOf(
    open({
      root,
      config: {
        tools: {
          exec: { sandbox: "bwrap", network: { allow: [...allow] } },
          net: { ssrfPolicy: { allowedHostnames } },
        },
      },
    }),
  );
}

/** The names of this machine are usually not sent to a proxy. */
const VIA = "curl -sS --noproxy ''";
const PROXY = "127.0.0.1:3128";

describe("tools.exec.network.allow", () => {
  it("reaches an allowed host through the proxy, also from a terminal and without curl", async () => {
    const server = await serve();
    const exec = start([`localhost:${server.port}`]);
    const url = `http://localhost:${server.port}/`;
    expect((await exec(`${VIA} ${url}`)).text).toBe(`served localhost:${server.port}`);
    expect((await exec(`${VIA} -p ${url}; echo; echo $HTTPS_PROXY`)).text).toBe(
      `served localhost:${server.port}\nhttp://${PROXY}`,
    );
    const inTerminal = await exec(`${VIA} ${url}`, { pty: true });
    expect(inTerminal.text).toContain(`served localhost:${server.port}`);
    const get = `require("http").get({ host: "127.0.0.1", port: 3128, path: "${url}" }, (answer) => answer.pipe(process.stdout))`;
    expect((await exec(`node -e '${get}'`)).text).toBe(`served localhost:${server.port}`);
    expect(server.asked()).toBe(4);
  });

  it("lets npm install a package from an allowed registry", async () => {
    const registry = await serveRegistry(makeFolder());
    const exec = start([`localhost:${registry.port}`]);
    // The names of this machine would not be sent to the proxy.
    const flags = `--registry http://localhost:${registry.port}/ --fetch-retries 0 --no-audit --no-fund`;
    const { text } = await exec(
      `unset NO_PROXY no_proxy npm_config_noproxy; npm init -y >/dev/null; npm install said ${flags} && node -p 'require("said")'`,
      { timeout: 120, yieldMs: 120_000 },
    );
    expect(text).toMatch(/added 1 package[\s\S]*hello from said/);
    expect(registry.asked()).toEqual(["/said", "/said/-/said-1.0.0.tgz"]);
  }, 150_000);

  it("refuses everything else, and says which key would allow it", async () => {
    const [allowed, other] = [await serve(), await serve()];
    const exec = start([`localhost:${allowed.port}`]);
    const attacks = [
      // Directly.
      `curl -sS --noproxy '*' http://127.0.0.1:${other.port}/`,
      `curl -sS --noproxy '*' http://localhost:${allowed.port}/`,
      // Another port, host, address or spelling of it, by request and by tunnel.
      `${VIA} -f http://localhost:${other.port}/`,
      `${VIA} -p http://localhost:${other.port}/`,
      `${VIA} -f http://127.0.0.1:${allowed.port}/`,
      `${VIA} -p http://127.0.0.1:${allowed.port}/`,
      `${VIA} -f http://2130706433:${allowed.port}/`,
      `${VIA} -f 'http://[::ffff:127.0.0.1]:${allowed.port}/'`,
      `${VIA} -f http://0.0.0.0:${allowed.port}/`,
      `${VIA} -f http://169.254.169.254/`,
      `${VIA} -f http://example.com/`,
      `${VIA} -p https://example.com/`,
      // A name that ends like the allowed one, and one below it.
      `${VIA} -f http://notlocalhost:${allowed.port}/`,
      `${VIA} -f http://a.localhost:${allowed.port}/`,
    ];
    for (const attack of attacks) {
      const { text } = await exec(`${attack} || echo refused`);
      expect(text, attack).toContain("refused");
      expect(text, attack).not.toContain("served");
    }
    expect([allowed.asked(), other.asked()]).toEqual([0, 0]);
    const { text } = await exec(`${VIA} -f http://example.com/`);
    expect(text).toContain(
      '"example.com:80" is not reached: tools.exec.network.allow does not name it; add it to tools.exec.network.allow to reach it.',
    );
  });

  it.runIf(process.getuid?.() === 0)("serves a workspace of another user too", async () => {
    const server = await serve();
    const root = makeFolder();
    chownSync(root, 1_000, 1_000);
    const exec = start([`localhost:${server.port}`], { root });
    const { text } = await exec(`id -u; ${VIA} http://localhost:${server.port}/`);
    expect(text).toBe(`1000\nserved localhost:${server.port}`);
  });

  it("goes by the address of the request, whatever its Host header says", async () => {
    const [allowed, other] = [await serve(), await serve()];
    const exec = start([`localhost:${allowed.port}`]);
    const spoofed = await exec(`${VIA} -H 'Host: evil.test' http://localhost:${allowed.port}/`);
    expect(spoofed.text).toBe(`served localhost:${allowed.port}`);
    const lines = `GET http://localhost:${other.port}/ HTTP/1.1\\r\\nHost: localhost:${allowed.port}\\r\\nConnection: close\\r\\n\\r\\n`;
    const { text } = await exec(`exec 9<>/dev/tcp/127.0.0.1/3128; printf '${lines}' >&9; cat <&9`);
    expect(text).toContain("403 Forbidden");
    expect(other.asked()).toBe(0);
  });

  it("keeps private addresses closed though their name is allowed", async () => {
    const server = await serve();
    const exec = start([`localhost:${server.port}`], { allowedHostnames: [] });
    const { text } = await exec(`${VIA} -f http://localhost:${server.port}/`);
    expect(text).toContain("tools.net.ssrfPolicy.allowedHostnames");
    expect(server.asked()).toBe(0);
  });

  it("has no port on this machine, and no other user can enter its folder", async () => {
    const server = await serve();
    const exec = start([`localhost:${server.port}`]);
    await exec("true");
    const probe = await fetch(`http://${PROXY}/`).then(
      () => "answered",
      () => "nothing there",
    );
    expect(probe).toBe("nothing there");
    const { text } = await exec(
      "stat -c '%F' /run/clawtools-net; ls /run; : > /run/x || echo shut",
    );
    expect(text).toContain("socket");
    expect(text).toContain("shut");
  });

  it("lets a command talk to its own servers without the proxy", async () => {
    const exec = start(["registries"]);
    const { text } = await exec(
      `node -e 'const server = require("http").createServer((_, answer) => answer.end("own")).listen(0, "127.0.0.1", () => require("child_process").exec("curl -s http://127.0.0.1:" + server.address().port, (_, out) => { console.log(out); server.close(); }))'`,
    );
    expect(text).toBe("own");
  });

  it("does not wait for its forwarder, and ends it with the command", async () => {
    const exec = start(["registries"]);
    expect((await exec("sleep 0 & wait; echo over")).text).toBe("over");
  });

  it("names an entry that is not a host", async () => {
    const { text } = await start(["https://example.com/path"])("true");
    expect(text).toContain('tools.exec.network.allow: \\"https://example.com/path');
  });

  it("says in explain what is reached", async () => {
    const toolkit = open({
      root: makeFolder(),
      config: { tools: { exec: { sandbox: "bwrap", network: { allow: ["registries"] } } } },
    });
    const { hasNetwork, allowedHosts } = await toolkit.commandFacts();
    expect({ hasNetwork, allowedHosts }).toEqual({
      hasNetwork: false,
      allowedHosts: ["registries"],
    });
    expect(toolkit.explain("exec").facts?.[0]).toContain("reaches only registries");
  });
});

describe("a commit in the sandbox", () => {
  const COMMIT =
    "git init -q . && git commit -q --allow-empty -m x && git log -1 --format='%an <%ae>'";

  it("has an author when git was not told one, and the repository's when it was", async () => {
    const exec = execOf(open({ root: makeFolder() }));
    expect((await exec(COMMIT)).text).toMatch(/^.+ <\S+@\S+>$/);
    const named = await exec(
      "git init -q b && cd b && git config user.name O\\'Brien && git config user.email o@example.com && git commit -q --allow-empty -m x && git log -1 --format='%an <%ae>'",
    );
    expect(named.text).toBe("O'Brien <o@example.com>");
  });
});
