// Implements the port to browsers: finds the profile, the browser and the tab of a call.

import { join } from "node:path";
import type {
  BrowserPage,
  BrowserScope,
  Browsers,
  PageChange,
  PageScope,
} from "../../core/browser.js";
import { closedError, createCountdown, isToolError, ToolError } from "../../core/index.js";
import { createDownloadQuota } from "./page/files/downloads.js";
import { pruneArtifacts } from "./page/files/roots.js";
import { judgeEarly } from "./policy/net-filter.js";
import { readPageUrl } from "./policy/schemes.js";
import { createHome, createProfiles } from "./profiles/create-profiles.js";
import type { Profile } from "./profiles/list-profiles.js";
import { findAddressFault } from "./session/attach-browser.js";
import { connectProfile } from "./session/connect-profile.js";
import { loadPlaywright } from "./session/connection.js";
import { examine } from "./session/examine.js";
import { openSession, type Session } from "./session/open-session.js";
import {
  createProfileLife,
  type ProfileLife,
  type SessionBinding,
} from "./session/profile-life.js";
import { findRunning, readStatus, tellStop, toListedProfile } from "./session/read-status.js";
import type { Tab } from "./session/tab.js";
import { atMost } from "./session/within.js";
import type { BrowserPorts, BrowserSettings } from "./settings.js";

const FILES_FOLDER = ".files";
const BLANK = "about:blank";
const CRASHED = "page_crashed";
const MAX_CLOSE_MS = 2_000;
const MAX_CLOSE_WAIT_MS = 400;

interface Asked {
  readonly profile: Profile;
  readonly life: ProfileLife;
}

export function createBrowsers(settings: BrowserSettings, ports: BrowserPorts): Browsers {
  const { clock, random, owners, removeConfigured } = ports;
  const home = createHome(settings.stateDir);
  const lives = new Map<string, ProfileLife>();
  const profiles = createProfiles({
    ...{ settings, home, clock, random, owners, judge, removeConfigured },
  });
  let filter: ReturnType<BrowserPorts["openFilter"]> | undefined;
  let isClosed = false;

  async function openFilter() {
    filter ??= ports.openFilter();
    try {
      return await filter;
    } catch (error) {
      filter = undefined;
      throw error;
    }
  }

  async function judge(url: string, signal: AbortSignal): Promise<void> {
    await (await openFilter()).judge(url, { signal });
  }

  async function openProfile(name: string, binding: SessionBinding, signal: AbortSignal) {
    const [playwright, opened, all] = await Promise.all([
      loadPlaywright(),
      openFilter(),
      profiles.list(),
    ]);
    const profile = await profiles.find(name);
    const connection = await connectProfile({
      ...{ profile, profiles: all, settings, playwright, filter: opened, signal },
      ...{ clock, random, owners, net: ports.net },
    });
    const artifacts = join(await home.folder(), FILES_FOLDER);
    await pruneArtifacts(artifacts, { nowMs: clock.now() });
    const { evaluateEnabled, maxTabs } = settings;
    const folders = {
      uploadRoots: [settings.root, artifacts],
      ...{ downloads: ports.downloads, closed: settings.stateDir, artifacts, files: ports.files },
      temporary: connection.temporary,
    };
    try {
      return await openSession({
        ...{ ...binding, profile: name, connection, playwright, filter: opened, folders },
        ...{ evaluateEnabled, maxTabs, clock, random, quota: createDownloadQuota(settings) },
      });
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** Addresses from the config are trusted; one that a call named is judged like a page. */
  async function tryProfile({ cdpUrl = "", source }: Profile, signal: AbortSignal) {
    return findAddressFault({
      ...{ cdpUrl, net: ports.net, signal, timeoutMs: settings.remoteCdpTimeoutMs },
      judge: async (url) => (source === "created" ? judge(url, signal) : undefined),
    });
  }

  async function ask({ profile: name }: Pick<BrowserScope, "profile">): Promise<Asked> {
    if (isClosed) throw closedError();
    const profile = await profiles.find(name);
    const known = lives.get(profile.name);
    if (known !== undefined) return { profile, life: known };
    const life = createProfileLife({
      ...{ profile: profile.name, clock, idleMs: settings.idleMs },
      open: (binding, signal) => openProfile(profile.name, binding, signal),
    });
    lives.set(profile.name, life);
    return { profile, life };
  }

  async function status(scope: BrowserScope) {
    const { profile, life } = await ask(scope);
    return readStatus({ profile, session: life.running(), settings, signal: scope.signal });
  }

  async function stopProfile(scope: BrowserScope): Promise<Asked> {
    const asked = await ask(scope);
    await asked.life.stop();
    return asked;
  }

  return {
    status,
    async start(scope) {
      const { life } = await ask(scope);
      await life.ensure(scope);
      return status(scope);
    },
    async stop(scope) {
      const { life } = await ask(scope);
      const ended = life.running()?.connection;
      await stopProfile(scope);
      return tellStop(ended, await status(scope));
    },
    async profiles() {
      const all = await profiles.list();
      return Promise.all(all.map((one) => toListedProfile(one, lives.get(one.name)?.running())));
    },
    async createProfile(request) {
      const made = await profiles.create(request);
      return toListedProfile(made, undefined);
    },
    async deleteProfile(scope) {
      const profile = await profiles.find(scope.profile);
      profiles.assertDeletable(profile);
      await stopProfile(scope);
      await profiles.remove(profile);
      lives.delete(profile.name);
    },
    async resetProfile(scope) {
      const { profile } = await ask(scope);
      profiles.assertLocal(profile);
      await stopProfile(scope);
      await profiles.release(profile);
    },
    async tabs(scope) {
      const session = await look(await ask(scope), scope);
      return (await session?.tabs(scope)) ?? [];
    },
    async open(scope) {
      const url = readPageUrl(scope.url);
      const left = createCountdown(scope, () => clock.now());
      const { life } = await ask(scope);
      if (life.running() === undefined) {
        const { signal } = scope;
        await judgeEarly({ filter: await openFilter(), url, signal, nowMs: clock.now() });
      }
      const session = await life.ensure(scope);
      const tab = await session.newTab(left());
      session.use(tab);
      const { events } = await openIn(tab, { ...left(), url });
      for (const event of events) scope.tell?.(event);
      return tab.port;
    },
    async page(scope) {
      const left = createCountdown(scope, () => clock.now());
      const known = lives.get(scope.profile ?? settings.defaultProfile);
      // A profile whose browser runs cannot be removed, so it is not looked up again.
      const life = known?.running() ? known : (await ask(scope)).life;
      const end = life.running() === undefined ? life.takeEnd() : undefined;
      if (end !== undefined) throw end;
      const session = await life.ensure(scope);
      return findPage(session, left());
    },
    async focus(scope) {
      const { session, tab } = await findTab(scope);
      return session.focus(tab, scope);
    },
    async closeTab(scope) {
      const { session, tab } = await findTab(scope);
      await tab.port.close(scope);
      const { targetId } = tab;
      session.forget(tab);
      return { targetId, current: session.find(undefined)?.targetId };
    },
    async doctor(scope) {
      const { profile, life } = await ask(scope);
      const { signal } = scope;
      return examine({
        ...{ profile, session: life.running(), settings, signal },
        findAddressFault: () => tryProfile(profile, signal),
      });
    },
    async close() {
      isClosed = true;
      await Promise.all([...lives.values()].map((life) => life.stop()));
      await (await filter?.catch(() => undefined))?.close();
      await ports.net.close();
      await home.close();
    },
  };

  async function findTab(scope: BrowserScope & { readonly targetId?: string | undefined }) {
    const asked = await ask(scope);
    const { profile } = asked;
    const session = await look(asked, scope);
    const tab = session?.find(scope.targetId);
    if (session === undefined || tab === undefined) throw noTab(profile.name);
    return { session, tab };
  }
}

async function look({ profile, life }: Asked, scope: PageScope): Promise<Session | undefined> {
  const session = life.running();
  if (session !== undefined || profile.kind !== "managed") return session;
  return (await findRunning(profile)) === undefined ? undefined : life.ensure(scope);
}

function noTab(profile: string): ToolError {
  return new ToolError("not_found", `No tab is open in profile "${profile}"; open one first.`, {
    reason: "tab_not_found",
    details: { profile },
  });
}

async function findPage(
  session: Session,
  scope: PageScope & { readonly targetId?: string | undefined },
): Promise<BrowserPage> {
  const tab = session.find(scope.targetId) ?? (await session.newTab(scope));
  session.use(tab);
  return tab.port;
}

/** Closes a tab whose page never loaded, unless it is slow or crashed. */
async function openIn(tab: Tab, scope: PageScope & { readonly url: string }): Promise<PageChange> {
  try {
    return await tab.port.navigate(scope);
  } catch (error) {
    const { code, reason } = isToolError(error) ? error : {};
    const isSlow = code === "timeout" && tab.state.page.url() !== BLANK;
    const { signal } = new AbortController();
    const close = () => tab.port.close({ signal, timeoutMs: MAX_CLOSE_MS });
    if (!isSlow && reason !== CRASHED) await atMost(MAX_CLOSE_WAIT_MS, close);
    throw error;
  }
}
