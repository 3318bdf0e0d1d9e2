// The actions, kinds and choices as values: the schema does not check `request` and batch steps.

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

export const BUTTONS = ["left", "right", "middle"] as const;
export const LOAD_STATES = ["load", "domcontentloaded", "networkidle"] as const;
