// A copy of a config that can be shown: texts under a name that sounds like a secret are replaced.

import { isSecretName } from "../core/index.js";

/** Everything in these may be a secret. */
const SECRET_FOLDER = /^(?:env|headers|credentials|cookies)$/i;
/** A flag of a program whose value may be a secret: what follows it, or comes after its `=`. */
const SECRET_FLAG =
  /^(-{1,2}[\w-]*(?:token|secret|passw|passphrase|credential|cookie|key|auth)[\w-]*)(=.*)?$/is;
/** An address with a name and password in it. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^/\s@]*@/;

interface Hiding {
  readonly mustHide: boolean;
  readonly mark: string;
}

/** `mark` takes the place of each secret. */
export function hideSecrets(config: unknown, mark: string): unknown {
  return copy(config, { mustHide: false, mark });
}

function copyItem(
  item: unknown,
  { mustHide, mark, before }: Hiding & { readonly before: unknown },
): unknown {
  const [, flag, value] = typeof item === "string" ? (SECRET_FLAG.exec(item) ?? []) : [];
  if (flag !== undefined) return value === undefined ? item : `${flag}=${mark}`;
  const [, flagBefore, valueBefore] =
    typeof before === "string" ? (SECRET_FLAG.exec(before) ?? []) : [];
  const isValue = flagBefore !== undefined && valueBefore === undefined;
  return copy(item, { mustHide: mustHide || isValue, mark });
}

function copy(value: unknown, { mustHide, mark }: Hiding): unknown {
  if (typeof value === "string") {
    return mustHide || ADDRESS_WITH_PASSWORD.test(value) ? mark : value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => copyItem(item, { mustHide, mark, before: value[index - 1] }));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isSecret = typeof inner === "string" ? isSecretName(name) : false;
      const isHidden = mustHide || isSecret || SECRET_FOLDER.test(name);
      return [name, copy(inner, { mustHide: isHidden, mark })];
    }),
  );
}
