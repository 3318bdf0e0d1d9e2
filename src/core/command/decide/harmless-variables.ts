// Variables of a call that change no more than how output looks: the language, the size and the
// colours of a terminal, the time zone. Whatever else a call sets may turn what a program does.

/** No path: a language by its path is a file of data that programs load and trust. */
const LANGUAGE =
  /^(?:|POSIX|C(?:\.(?:UTF-8|utf8))?|[a-z]{2,3}(?:_[A-Z]{2})?\.(?:UTF-8|utf8)(?:@[a-z]+)?)$/;
const LANGUAGES = /^(?:|[A-Za-z]{1,3}(?:_[A-Z]{2})?(?::[A-Za-z]{1,3}(?:_[A-Z]{2})?)*)$/;
const ZONE = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/;
const NUMBER = /^\d{0,4}$/;
const PLAIN = /^[\w.+-]{0,32}$/;

/** Each with the values it may have. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map([
  ...toRows("LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME", LANGUAGE),
  ...toRows("LANGUAGE", LANGUAGES),
  ...toRows("TZ", ZONE),
  ...toRows("COLUMNS LINES", NUMBER),
  ...toRows("TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI", PLAIN),
]);

/** The name of the first variable that is not harmless as it is set. */
export function findTurningVariable(env: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(env).find((name) => HARMLESS.get(name)?.test(env[name] ?? "") !== true);
}

function toRows(names: string, values: RegExp): (readonly [string, RegExp])[] {
  return names.split(" ").map((name) => [name, values] as const);
}
