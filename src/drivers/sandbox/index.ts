// The door of the sandbox driver: what contains commands on this machine.

export type { SandboxIdentity } from "./bwrap/probe.js";
export {
  type ContainmentSettings,
  findContainments,
  type SandboxChoice,
} from "./find-containments.js";
