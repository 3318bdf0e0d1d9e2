// Whether a page only asks if a person is reading. Reported by what such pages say, and only of pages
// that say little else.

import { type Measures, textOf } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { TEXT } from "../tree/tags.js";

const MAX_CHARS = 1_000;
const TITLE =
  /^\s*(?:just a moment|attention required|one more step|are you a robot|are you human|access denied|robot check|security check|verify(?:ing)? you are human|checking your browser|please wait\b.{0,30}\bverif|captcha)/i;
const SAYS =
  /enable javascript and cookies to continue|verif(?:y|ying) (?:that )?you(?:'| a)re (?:a )?human|checking (?:if the site connection is secure|your browser before)|(?:complete|solve) the (?:captcha|security check)|unusual traffic from your (?:computer )?network|(?:prove|confirm) (?:that )?you(?:'| a)re (?:not a robot|human)|i(?:'| a)m not a robot|press (?:and|&) hold to confirm/i;
const MAX_TITLED_CHARS = 500;

export function isRobotCheck({ page, chars, visibleChars }: Measures): boolean {
  if (visibleChars > MAX_CHARS) return false;
  if (TITLE.test(page.title) && visibleChars <= MAX_TITLED_CHARS) return true;
  const said: string[] = [page.noscriptText];
  for (let node = 0; node < page.count; node++) {
    if (at(page.tags, node) === TEXT && at(chars, node) > 0) said.push(textOf(page, node));
  }
  return SAYS.test(
    said
      .join(" ")
      .replace(/[\u2019]/g, "'")
      .replace(/\s+/g, " "),
  );
}
