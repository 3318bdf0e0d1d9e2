// `tools.exec.network.allow`: the filtering proxy that commands in the sandbox reach, and what its
// presets stand for. It is opened with the sandbox, and nothing outside of it can connect.

import { chownSync } from "node:fs";
import { join } from "node:path";
import type { ClawtoolsConfig } from "../../config/index.js";
import type { HostAccess } from "../../core/index.js";
import { createFilterProxy } from "../../drivers/net/index.js";
import {
  makePrivateFolder,
  removePrivateFolder,
  SOCKET_NAME,
} from "../../drivers/process/index.js";
import type { SandboxIdentity } from "../../drivers/sandbox/index.js";
import { filterSettings } from "../net.js";

const KEY = "tools.exec.network.allow";

const PRESETS: Readonly<Record<string, readonly string[]>> = {
  registries: [
    // npm, Yarn, JSR; headers for native modules
    ...["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io", "jsr.io", "nodejs.org"],
    // PyPI, Conda
    ...["pypi.org", "files.pythonhosted.org", "conda.anaconda.org", "repo.anaconda.com"],
    // crates, rustup
    ...["crates.io", "index.crates.io", "static.crates.io", "static.rust-lang.org"],
    // Go
    ...["proxy.golang.org", "sum.golang.org"],
    // RubyGems
    ...["rubygems.org", "index.rubygems.org"],
    // Maven, Gradle
    ...["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"],
    // NuGet, Packagist, Hex
    ...["api.nuget.org", "packagist.org", "repo.packagist.org", "hex.pm", "repo.hex.pm"],
    // Debian, Ubuntu, Alpine
    ...["deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com"],
    ...["ports.ubuntu.com", "dl-cdn.alpinelinux.org"],
  ],
};

export interface SandboxNetwork {
  /** Throws `invalid_input` for an entry that is not a host. */
  open(owner: SandboxIdentity): Promise<HostAccess>;
  close(): Promise<void>;
}

export function createSandboxNetwork(
  config: ClawtoolsConfig,
  allowed: readonly string[],
): SandboxNetwork {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    async open({ isOther, userId, groupId }) {
      const folder = makePrivateFolder();
      closers.push(() => removePrivateFolder(folder));
      const socketPath = join(folder, SOCKET_NAME);
      const filter = await createFilterProxy({
        ...filterSettings(config),
        policy: config.tools?.net?.ssrfPolicy,
        allowedOrigins: allowed.flatMap((entry) => PRESETS[entry] ?? [entry]),
        allowedKey: KEY,
        socketPath,
      });
      closers.unshift(() => filter.close());
      // Root starts the sandbox as this user, who must be able to mount the socket.
      if (isOther) for (const path of [socketPath, folder]) chownSync(path, userId, groupId);
      return {
        allowed,
        socketPath,
        problems: (sinceMs) =>
          filter
            .problems()
            .filter(({ atMs }) => atMs >= sinceMs)
            .map(({ error }) => error.message),
      };
    },
    async close() {
      for (const close of closers.splice(0)) await close();
    },
  };
}
