// What holds for commands when nothing is configured: the sandbox where this machine has one, the
// list and the asking where it has none.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startExec } from "./exec-setting.js";

const DEFAULTS = { config: {}, approvals: { version: 1, agents: {} } } as const;
/** There the set-up brings bubblewrap, so its absence is a failure. */
const isLinux = process.platform === "linux";

describe.runIf(isLinux)("exec without configuration", () => {
  it("runs anything in the sandbox, and what it makes is in the workspace", async () => {
    const { exec, root } = startExec(DEFAULTS);
    const { text, details } = await exec({
      command: "for i in 1 2; do echo $i; done > made; cat made",
    });
    expect(text).toBe("1\n2");
    expect(details).toMatchObject({ host: "sandbox", containment: "bwrap", exitCode: 0 });
    expect(existsSync(join(root, "made"))).toBe(true);
  });

  it("keeps the command from the rest of the machine", async () => {
    const { exec } = startExec(DEFAULTS);
    const { text, details } = await exec({ command: "touch /usr/made && echo escaped" });
    expect(details).toMatchObject({ status: "completed", exitCode: 1 });
    expect(text).not.toContain("escaped");
  });

  it.each(["sandbox", "gateway"] as const)(
    "gives a language to the command alone, on host %s",
    async (host) => {
      const config = { tools: { exec: { security: "full", ask: "off", host } } } as const;
      const { exec } = startExec({ ...DEFAULTS, config });
      const env = { LC_ALL: "xx_YY.not-installed", LANG: "C.UTF-8" };
      const { text } = await exec({ command: "printenv LC_ALL LANG", env });
      // Nothing of the programs around it, which complain when they set one that is not there.
      expect(text).toBe("xx_YY.not-installed\nC.UTF-8");
    },
  );

  it("172 · says why a command that wants the network fails, and which key opens it", async () => {
    const { exec } = startExec(DEFAULTS);
    const { text } = await exec({
      command: `node -e 'require("dns").lookup("example.org", (e) => { console.error(e.message); process.exit(1); })'`,
    });
    expect(text).toContain("tools.exec.network: true");
  });

  it("leaves a terminal's ^C to the program there too", async () => {
    const { exec, process } = startExec(DEFAULTS);
    const { details } = await exec({
      command: "trap 'echo caught; exit 0' INT; echo ready; while :; do sleep 0.1; done",
      pty: true,
      background: true,
    });
    const { sessionId } = details;
    let seen = "";
    while (!seen.includes("ready")) {
      seen += (await process({ action: "poll", sessionId, timeout: 10_000 })).text;
    }
    await process({ action: "send-keys", sessionId, keys: ["C-c"] });
    while (!seen.includes("Process exited")) {
      seen += (await process({ action: "poll", sessionId, timeout: 10_000 })).text;
    }
    expect(seen).toContain("caught");
    expect(seen).toContain("Process exited with code 0.");
  });

  it("158 · does not leave the sandbox because a call asks for it", async () => {
    const { exec, root } = startExec(DEFAULTS);
    const { isError } = await exec({ command: "touch outside", host: "gateway" });
    expect(isError).toBe(true);
    expect(existsSync(join(root, "outside"))).toBe(false);
  });

  it("does not name the key when the network is open already", async () => {
    const { exec } = startExec({ ...DEFAULTS, config: { tools: { exec: { network: true } } } });
    const { text, details } = await exec({ command: "echo 'network is unreachable'; exit 1" });
    expect(details).toMatchObject({ host: "sandbox", exitCode: 1 });
    expect(text).not.toContain("tools.exec.network");
  });

  it("runs there, too, for an agent that is in a sandbox", async () => {
    const { exec } = startExec({ ...DEFAULTS, sandboxed: true });
    expect((await exec({ command: "true" })).details).toMatchObject({ host: "sandbox" });
  });
});
