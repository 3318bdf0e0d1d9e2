import { it } from "vitest";
import { launchPlain as launchChromium } from "../plain-chromium.js";
import { createFilterProxy } from "../../../../src/drivers/net/index.js";
import { listNetFlags } from "../../../../src/drivers/browser/policy/net-flags.js";
import { createCanary } from "../../../../test/browser/net/canary.js";
import { REQUEST_KINDS } from "../../../../test/browser/net/request-kinds.js";
import { runKinds, servePage, PAGE_HOST } from "../../../../test/browser/net/kinds-page.js";
it("matrix", async () => {
  const filter = await createFilterProxy({ policy: { allowedHostnames: [PAGE_HOST] } });
  const server = await servePage();
  const canary = await createCanary();
  const all = [...listNetFlags(filter.address)];
  const without = (...names: string[]) => all.filter((f) => !names.some((n) => f.startsWith(n)));
  const cases: Record<string,string[]> = {
    none: [],
    all,
    onlyProxy: [all[0]!],
    proxyBypass: all.slice(0,2),
    noBypass: without("--proxy-bypass"),
    noBypassNoRules: without("--proxy-bypass","--host-resolver"),
    noForce: without("--force-webrtc"),
    noWebrtc: without("--force-webrtc","--webrtc"),
    noWebrtcPlain: without("--webrtc"),
    noQuic: without("--disable-quic"),
    noDns: without("--dns-prefetch"),
    noRules: without("--host-resolver"),
  };
  const only = process.env.CASES?.split(",");
  for (const [name, flags] of Object.entries(cases)) {
    if (only && !only.includes(name)) continue;
    canary.forget();
    const before = filter.problems().length;
    const t = performance.now();
    const browser = await launchChromium(flags);
    const t1 = performance.now();
    const page = await browser.newPage();
    await page.goto(`http://${PAGE_HOST}:${server.port}/`);
    await runKinds(page, canary.port);
    const t2 = performance.now();
    await browser.close();
    const seen = [...canary.seen()];
    const missing = REQUEST_KINDS.filter((k) => !seen.includes(k.name)).map((k) => k.name);
    console.log(name, "seen", seen.length, seen.length < 12 ? seen : "", "missing", missing.length < 20 ? missing : missing.length, "ms", Math.round(t1-t), Math.round(t2-t1));
    const denied = new Set(filter.problems().map((p) => p.host + ' ' + p.error.reason));
    if (name === "all") console.log("denied", REQUEST_KINDS.filter((_, i) => ![...denied].some((d) => d.startsWith(`127.0.1.${i+1} `))).map((k) => k.name), [...denied].filter((d) => !d.startsWith("127.0.1.")), filter.counts());
  }
  await canary.close(); await server.close(); await filter.close();
}, 240000);
