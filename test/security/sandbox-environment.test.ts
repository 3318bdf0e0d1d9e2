// The environment of a command: what of this process gets into it, and what a call may add.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { assertCallEnvironment } from "../../src/drivers/process/create-processes.js";
import { CONTAINMENT_NAMES, createProcessSetting, startOf } from "../faults/process-setting.js";

/** Each makes some program load, run, trust or send something else. */
const STEERING = (
  "PATH HOME SHELL USER TMPDIR LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH " +
  "HOSTALIASES RES_OPTIONS MALLOC_CHECK_ BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS CDPATH PROMPT_COMMAND ZDOTDIR FPATH HISTFILE INPUTRC " +
  "BASH_FUNC_ls NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_TLS_REJECT_UNAUTHORIZED " +
  "npm_config_registry NPM_CONFIG_SCRIPT_SHELL npm_execpath NPM_TOKEN YARN_RC_FILENAME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_NPM_REGISTRY TSX_TSCONFIG_PATH " +
  "PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PIP_INDEX_URL PIP_CONFIG_FILE UV_INDEX VIRTUAL_ENV CONDA_PREFIX POETRY_HOME " +
  "PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR " +
  "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME ANT_OPTS SBT_OPTS KOTLIN_HOME " +
  "GIT_DIR GIT_WORK_TREE GIT_EXEC_PATH GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EDITOR GIT_PAGER GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_GLOBAL GIT_PROXY_COMMAND GIT_SSL_NO_VERIFY GIT_TEMPLATE_DIR " +
  "CC CXX CFLAGS LDFLAGS CPPFLAGS RUSTC RUSTC_WRAPPER RUSTFLAGS CARGO_HOME CARGO_BUILD_RUSTC CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER CARGO_REGISTRIES_X_INDEX RUSTUP_TOOLCHAIN " +
  "GOFLAGS GOPROXY GOPATH GOROOT CGO_CFLAGS MAKEFLAGS MAKEFILES MFLAGS CMAKE_TOOLCHAIN_FILE CMAKE_PREFIX_PATH PKG_CONFIG_PATH " +
  "EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE LESS BROWSER VIMINIT VIMRUNTIME EXINIT EMACSLOADPATH TERMINFO TERMCAP " +
  "HTTP_PROXY HTTPS_PROXY http_proxy ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE CURL_HOME CURL_CA_BUNDLE REQUESTS_CA_BUNDLE WGETRC OPENSSL_CONF OPENSSL_ENGINES " +
  "AWS_ACCESS_KEY_ID AWS_CONFIG_FILE AWS_PROFILE AZURE_CONFIG_DIR GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_PYTHON CLOUDSDK_CONFIG KUBECONFIG DOCKER_HOST DOCKER_CONFIG HELM_PLUGINS TF_VAR_x TF_CLI_ARGS ANSIBLE_CONFIG VAULT_ADDR " +
  "SSH_AUTH_SOCK SSH_ASKPASS SUDO_ASKPASS GNUPGHOME DBUS_SESSION_BUS_ADDRESS DISPLAY XAUTHORITY XDG_CONFIG_HOME XDG_DATA_DIRS SYSTEMD_EDITOR STATE_DIRECTORY HOMEBREW_PREFIX " +
  "CLAWTOOLS_STATE_DIR CLAWTOOLS_RUN OPENCLAW_HOME ELECTRON_RUN_AS_NODE PLAYWRIGHT_BROWSERS_PATH PUPPETEER_EXECUTABLE_PATH ESLINT_USE_FLAT_CONFIG JEST_JUNIT_OUTPUT_DIR DOTNET_STARTUP_HOOKS CORECLR_PROFILER COR_PROFILER MONO_PATH"
).split(" ");

const ORDINARY = (
  "NODE_ENV CI DEBUG PORT HOST LOG_LEVEL NO_COLOR FORCE_COLOR TZ LANG LC_ALL TERM COLUMNS RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED " +
  "DATABASE_URL API_URL FEATURE_X MY_SETTING FOO GREETING TEST_SEED STAGE APP_MODE SERVICE_NAME HTTP_PORT VITE_API_URL SRC"
).split(" ");

const settings: ReturnType<typeof createProcessSetting>[] = [];
afterEach(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

const attempt = (name: string, declaredNames: readonly string[] = []) => {
  try {
    assertCallEnvironment({ env: { [name]: "x" }, declaredNames });
    return "taken";
  } catch (error) {
    return Reflect.get(Object(error), "reason");
  }
};

describe("a name that a call sets", () => {
  it("is refused when it steers programs", () => {
    expect(STEERING.filter((name) => attempt(name) !== "env_refused")).toEqual([]);
  });

  it("is taken when it is an ordinary one", () => {
    expect(ORDINARY.filter((name) => attempt(name) !== "taken")).toEqual([]);
  });

  it("is named in the refusal", () => {
    const assert = () => assertCallEnvironment({ env: { LD_PRELOAD: "x" }, declaredNames: [] });
    expect(assert).toThrow("env.LD_PRELOAD");
  });

  it("is taken when the owner has declared it", () => {
    expect(attempt("GIT_EDITOR", ["GIT_EDITOR"])).toBe("taken");
  });

  it.each(["", "A B", "1A", "A=B", "BASH_FUNC_ls%%", "Ä", "A\0"])(
    "is refused as no name: %j",
    (name) => {
      expect(attempt(name)).toBe("env_invalid");
    },
  );
});

describe.each(CONTAINMENT_NAMES)("the environment in %s", (containment) => {
  it("has the allowed names and those of the call, and nothing else of this process or workspace", async () => {
    const root = mkdtempSync(join(tmpdir(), "environment-"));
    writeFileSync(join(root, ".env"), "PLANTED=1\nLD_PRELOAD=/nowhere.so\n");
    const planted = [...STEERING, ...ORDINARY, "SECRET_TOKEN", "BASH_FUNC_ls%%"];
    const setting = createProcessSetting({
      containment,
      options: { root, declaredNames: ["SERVICE_NAME"] },
      ownEnvironment: Object.fromEntries(
        planted.map((name) => [name, /^L(?:ANG|C_)/.test(name) ? "C.UTF-8" : "planted"]),
      ),
    });
    settings.push(setting);
    const run = await setting.processes.start(startOf("env -0", { env: { GREETING: "hello" } }));
    await run.ended;
    const text = run.output.view(100_000).text;
    const names = text.split(/\\x00|\0/).flatMap((line) => line.trim().split("=")[0] || []);
    rmSync(root, { recursive: true, force: true });
    expect(text).toContain("GREETING=hello");
    const expected =
      "CLAWTOOLS_RUN GREETING HOME LANG LC_ALL PATH PWD SERVICE_NAME SHELL SHLVL TERM TMPDIR TZ USER _ OLDPWD";
    expect(names.filter((name) => !expected.split(" ").includes(name))).toEqual([]);
    expect(names).toContain("SERVICE_NAME");
  });
});
