// Changes what the explanation of a policy names. If that rule removed the tool, it is not the one
// that removes it once it is mended, and an entry of a deny list removes the tool alone too.
import type { Config } from "./random-policy.js";

const SEGMENT = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/gy;
const DENIED = /^(.+)\[\d+\] "(.*)"$/;

export interface NamedRule {
  readonly config: Config;
  /** As it is told: `tools.deny[2] "group:runtime"`, or `tools.allow` for a list that lacks it. */
  readonly rule: string;
  readonly name: string;
}

export interface ChangedRule {
  /** Without the entry, or with the name in the list that lacked it. */
  readonly mended: Config;
  /** The entry of a deny list alone in its list, and how the rule is told then. */
  readonly alone?: { readonly config: Config; readonly rule: string };
}

/** `undefined` for rules that name no list of the config. */
export function changeNamedRule({ config, rule, name }: NamedRule): ChangedRule | undefined {
  const [, path = rule, entry] = DENIED.exec(rule) ?? [];
  const list = valueAt(config, path);
  if (entry === undefined) {
    if (!Array.isArray(list)) return undefined;
    const added = path.endsWith("allowModels") ? "*" : name;
    return { mended: withList(config, { path, list: [...list, added] }) };
  }
  if (!Array.isArray(list) || !list.includes(entry)) throw new Error(`the config has no ${rule}`);
  const others = list.filter((item) => item !== entry);
  return {
    mended: withList(config, { path, list: others }),
    alone: {
      config: withList(config, { path, list: [entry] }),
      rule: `${path}[0] "${entry}"`,
    },
  };
}

function withList(config: Config, { path, list }: { path: string; list: unknown[] }): Config {
  const changed = structuredClone(config);
  const target = valueAt(changed, path);
  if (Array.isArray(target)) target.splice(0, target.length, ...list);
  return changed;
}

function valueAt(config: Config, path: string): unknown {
  return [...path.matchAll(SEGMENT)].reduce<unknown>((value, [, word, position, quoted]) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Reflect.get(value, word ?? position ?? quoted ?? "");
  }, config);
}
