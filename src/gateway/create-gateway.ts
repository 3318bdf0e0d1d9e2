// `createGateway`: puts store, config, auth, methods and the port together. Everything it opens ends
// with `close()`; a start that fails leaves nothing open.

import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Agent } from "../agent/index.js";
import { type ClawtoolsConfig, stateDir as findStateDir, watchConfig } from "../config/index.js";
import { ToolError, ToolInputError } from "../core/index.js";
import { createSystemClock, createSystemRandom } from "../drivers/clock.js";
import {
  currentDirectory,
  homeDirectory,
  readEnvironment,
  readProcessUse,
} from "../drivers/environment.js";
import { createImages } from "../drivers/media/index.js";
import { createSocketLimit, createWrongSecrets } from "../lib/http/limits.js";
import { readOwnVersion } from "../lib/system/own-version.js";
import { createMethodTable } from "../protocol/index.js";
import { createGatewayModels } from "./agent/models.js";
import { openAgent } from "./agent/open-agent.js";
import { createAgents } from "./agents.js";
import { createApprovalDesk } from "./approval-desk.js";
import { createAuthenticate } from "./auth/authenticate.js";
import { readSharedSecret } from "./auth/shared-secret.js";
import { loadGuarded } from "./config/boot-guard.js";
import { createConfigFile } from "./config/config-file.js";
import { createReloader } from "./config/reload.js";
import { createAccept } from "./connections/accept.js";
import { createConnections } from "./connections/connections.js";
import { createCronDispatch } from "./cron/dispatch.js";
import { createCron } from "./cron/engine.js";
import { openDevices } from "./devices/devices.js";
import type { Gateway, GatewayEnd, GatewayOptions } from "./gateway.js";
import { createGreeting } from "./greeting.js";
import { createHeartbeat } from "./heartbeat.js";
import { createHttpAuth } from "./http/http-auth.js";
import { DEFAULT_PORT, findBindHosts, listen } from "./http/listen.js";
import { addOwnRoutes } from "./http/own-routes.js";
import { createRoutes } from "./http/routes.js";
import { readTlsKeys } from "./http/tls-keys.js";
import { createLog, gatewayLogPath } from "./log/log-file.js";
import { METHODS } from "./methods/table.js";
import { createRestarts, settleRestarts } from "./restarts.js";
import { createRunOnce } from "./run-once.js";
import type { GatewayServices } from "./services.js";
import { noteStart, openState } from "./state.js";
import { createToolGateway, INTERNAL } from "./tool-gateway.js";
import { createWakes } from "./wakes.js";

const MAX_SOCKETS = 4_096;
const PRESENCE_QUIET_MS = 500;

/** Fulfilled when clients can connect. Throws a ToolError that says what to do. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  if (options.config !== undefined && options.configPlace !== undefined) {
    throw new ToolInputError("createGateway: give config or configPlace, not both.");
  }
  const closers: (() => unknown)[] = [];
  try {
    return await open(options, closers);
  } catch (error) {
    for (const close of closers.toReversed()) await close();
    throw error;
  }
}

async function open(options: GatewayOptions, closers: (() => unknown)[]): Promise<Gateway> {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const startedAtMs = Math.floor(clock.now());
  const version = readOwnVersion();
  const stateDir = resolve(options.stateDir ?? usualStateDir());
  const log = createLog({
    path: gatewayLogPath(stateDir),
    clock,
    onEntry: options.onLog,
  });
  const { store, announce, close } = await openState({ folder: stateDir, clock, random });
  closers.push(close, () => log.close());
  const warning = await noteStart(store, clock);
  if (warning !== undefined) log.write("warn", warning);
  const boot = await loadGuarded({ ...options, store, clock, log });
  const readStart = async (settings: ClawtoolsConfig) => {
    const auth = await readSharedSecret({ config: settings, stateDir, token: options.token });
    const hosts = findBindHosts(settings, auth.mode);
    return { auth, hosts, tls: await readTlsKeys({ config: settings, stateDir, clock }) };
  };
  const config = createConfigFile({
    ...{ place: options.configPlace, assertStarts: readStart, ...boot },
  });
  const { auth, hosts, tls } = await readStart(config.current());
  log.hide(auth.secret);

  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const devices = await openDevices({ store, clock, random });
  let stopPresence: (() => void) | undefined;
  const connections = createConnections({
    clock,
    self: () => describeSelf({ version, startedAtMs }),
    onPresence() {
      // Many that come at once are announced once.
      stopPresence ??= clock.after(PRESENCE_QUIET_MS, () => {
        stopPresence = undefined;
        const { entries } = connections.presence();
        connections.emit("presence", { presence: entries }, { dropIfSlow: true });
      });
    },
  });
  const approvals = createApprovalDesk({
    ...{ store, clock, random, events: connections, connections },
    timeoutMs: () => config.current().approvals?.timeoutMs ?? 300_000,
    notify: (sessionKey, text) => agent.notify(sessionKey, text),
  });
  closers.push(approvals.close, () => stopPresence?.());
  const models = createGatewayModels(config);
  closers.push(models.close);
  let sessions: Agent["sessions"] | undefined;
  const agents = createAgents({
    root: options.root,
    stateDir,
    config: config.current,
    protect: config.files(),
    approve: approvals.approve,
    changeConfig: options.configPlace === undefined ? undefined : config.change,
    gateway: (agentId) => inProcess(agentId),
    sessions: () => sessions,
  });
  closers.push(agents.close);
  let finish: (end: GatewayEnd) => void = () => undefined;
  const closed = new Promise<GatewayEnd>((done) => {
    finish = done;
  });
  const restarts = createRestarts({
    ...{ store, clock, log },
    onWake: () => void deliverWakes(),
    restart:
      options.canRestart === true ? (reason) => void end({ restart: true, reason }) : undefined,
  });
  closers.push(restarts.close);
  const wrongSecrets = createWrongSecrets();
  const routes = createRoutes({
    place: () => listening.place,
    config: config.current,
    authenticate: createHttpAuth({ secret: auth, devices, wrongSecrets }),
    log,
    trust: (request) => sockets.trust(request.socket),
  });
  const services: GatewayServices = {
    ...{ version, startedAtMs, stateDir, store, clock, random, log, config, agents },
    ...{ events: connections, connections, devices, approvals, restarts, routes, models },
    images: createImages(),
    get agent() {
      return agent;
    },
    closing: closing.signal,
    get cron() {
      return cron;
    },
    get heartbeat() {
      return heartbeat;
    },
    reload: createReloader({ config, agents, log, events: connections, restarts }),
  };
  const table = createMethodTable({
    methods: [...METHODS, ...(options.methods ?? [])],
    services,
    runOnce: createRunOnce(store),
  });
  const call: Gateway["call"] = async (method, params, { principal = INTERNAL, signal } = {}) =>
    await table.call({ method, params, principal, signal: signal ?? closing.signal });
  const inProcess = createToolGateway({ call, config: config.current, stateDir });
  // After what its toolkits are given.
  const agent = openAgent({ store, clock, random, agents, models, config, events: connections });
  closers.push(agent.close);
  sessions = agent.sessions;
  const warn = (message: string) => log.write("warn", message);
  const heartbeat = createHeartbeat({ agent, agents, config: config.current, clock, report: warn });
  const cron = await createCron({
    ...{ store, clock, random, report: warn },
    dispatch: createCronDispatch({ agent, wakeNow: heartbeat.wakeNow }),
    isEnabled: () => config.current().cron?.enabled !== false,
    emit: (event) => connections.emit("cron", event),
  });
  closers.push(heartbeat.close, cron.close);
  const deliverWakes = createWakes({ store, agent, report: warn });

  const counts = { ok: 0, error: 0 };
  const sockets = createSocketLimit(MAX_SOCKETS);
  const accept = createAccept({
    ...{ clock, log, connections, table: () => table, closing: closing.signal },
    authenticate: createAuthenticate({
      ...{ secret: auth, devices, clock, config: config.current, wrongSecrets },
      onPairRequest: ({ requestId, ts, ...request }) =>
        connections.emit("device.pair.requested", { requestId, ts, ...request }),
    }),
    prepareGreeting: createGreeting({ services, table, auth }),
    onRequest(outcome) {
      counts[outcome]++;
    },
  });
  const closeRoutes = addOwnRoutes({ routes, services, counts, call });
  closers.push(closeRoutes);
  const listening = await listen({
    ...{ config: config.current, hosts, tls, sockets },
    port: options.port ?? config.current().gateway?.port ?? DEFAULT_PORT,
    onRequest: routes.handle,
    onUpgrade: accept,
  });
  closers.push(listening.close);
  const stopBeat = connections.startBeat();
  const stopWatch =
    options.configPlace === undefined
      ? () => undefined
      : watchConfig({
          files: config.files(),
          readAtMs: startedAtMs,
          onChange: () => services.reload.fromFile(),
        });
  closers.push(stopBeat, stopWatch);
  await settleRestarts(store, { clock, message: boot.message ?? "The gateway has restarted." });
  await deliverWakes();
  const stopHealthy = boot.watchHealth();
  closers.push(stopHealthy);
  const scheme = tls === undefined ? "" : "s";
  const address = `127.0.0.1:${listening.port}`;
  await announce(`ws${scheme}://${address}`);
  log.write("info", `gateway ready on ws${scheme}://${address}`, { version });

  let ending: Promise<void> | undefined;
  function end(how: GatewayEnd): Promise<void> {
    ending ??= (async () => {
      log.write("info", `gateway closing: ${how.reason}`);
      listening.stop();
      await connections.shutDown(how.reason, how.restart ? 1_500 : undefined);
      closing.abort(new ToolError("unavailable", "The gateway is closing."));
      await boot.keepGood();
      for (const close of closers.toReversed()) await close();
      finish(how);
    })();
    return ending;
  }
  return {
    port: listening.port,
    url: `ws${scheme}://${address}`,
    httpUrl: `http${scheme}://${address}`,
    auth,
    services,
    methods: table.methods,
    call,
    restart: (reason) => void end({ restart: true, reason }),
    closed,
    close: (reason = "gateway stopping") => end({ restart: false, reason }),
  };
}

function usualStateDir(): string {
  return findStateDir({
    env: readEnvironment(),
    homeDir: homeDirectory(),
    cwd: currentDirectory(),
  });
}

function describeSelf(facts: { readonly version: string; readonly startedAtMs: number }) {
  return {
    host: hostname(),
    version: facts.version,
    mode: "gateway",
    reason: "self",
    text: `Gateway: ${hostname()} (process ${readProcessUse().pid})`,
    ts: facts.startedAtMs,
  };
}
