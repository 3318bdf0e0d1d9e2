// The words of `browser`: its actions and the kinds of `act`. The kinds are needed as a value,
// because `request` and the steps of `batch` carry a kind that the schema does not check.

export const ACTIONS = [
  "status",
  "start",
  "stop",
  "profiles",
  "create-profile",
  "delete-profile",
  "reset-profile",
  "tabs",
  "open",
  "focus",
  "close",
  "snapshot",
  "screenshot",
  "navigate",
  "console",
  "errors",
  "requests",
  "text",
  "pdf",
  "upload",
  "download",
  "dialog",
  "act",
  "doctor",
] as const;

export type Action = (typeof ACTIONS)[number];

export const ACT_KINDS = [
  "click",
  "clickCoords",
  "type",
  "press",
  "hover",
  "drag",
  "select",
  "fill",
  "resize",
  "wait",
  "evaluate",
  "scrollIntoView",
  "batch",
  "close",
] as const;
