// What kind of page this is, as far as that changes how it is read: a forum, a manual, a list of
// links, a shell that scripts would fill. Reported by its structure, never by its address.

import { isDataTable } from "../text/table.js";
import {
  attributesOf,
  charsIn,
  linksIn,
  type Measures,
  type Sums,
  textOf,
} from "../tree/measure.js";
import { at, FRAME, flagsOf, HTML, isBlock, TEXT } from "../tree/tags.js";
import { type Marks, readMarks, readStructuredData, type StructuredData } from "./marks.js";

const SHELL_CHARS = 250;
const BARE_CHARS = 40;
const WANTS_SCRIPTS = /javascript|java script|scripts?\b/i;
const APP_ROOTS: ReadonlySet<string> = new Set([
  "root",
  "app",
  "__next",
  "__nuxt",
  "svelte",
  "gatsby",
]);

const MIN_POSTS = 3;
const SIGNED_SHARE = 0.7;
const MIN_ENTRIES = 8;
const MIN_GROUP_SHARE = 0.35;
const MAX_OUTSIDE_CHARS = 300;
const MAX_OUTSIDE_SHARE = 0.2;
const COMMENT = /(?:^|\s)comment(?:\s|$)|Comment$/;

export type PageKind =
  | "article"
  | "forum"
  | "docs"
  | "index"
  | "paywall"
  | "consent-wall"
  | "robot-check"
  | "script-shell"
  | "script-shell-data";

export interface KindFinding {
  readonly kind: PageKind;
  readonly members: readonly number[];
  readonly data: StructuredData;
}

export function findKind(measures: Measures, sums: Sums): KindFinding {
  const data = readStructuredData(measures.page.data);
  const tell = (kind: PageKind, members: readonly number[] = []) => ({ kind, members, data });
  if (isRobotCheck(measures)) return tell("robot-check");
  if (isShell(measures))
    return tell(data.articleBody === undefined ? "script-shell" : "script-shell-data");
  const marks = readMarks(measures);
  const posts = listPosts({ measures, sums, marks });
  const tellForum = (members: readonly number[]) =>
    tell("forum", withQuestion({ measures, marks, members }));
  if (posts.length >= 2) return tellForum(posts);
  const groups = listGroups(measures, sums);
  const find = (test: GroupTest) => groups.find((group) => test({ measures, sums, marks, group }));
  const entries = find(isEntryList);
  if (entries !== undefined) return tell("index", entries.members);
  const thread = find(isThread);
  if (thread !== undefined) return tellForum(thread.members);
  return tell(marks.isManual ? "docs" : "article");
}

function isShell({ page, visibleChars }: Measures): boolean {
  if (visibleChars >= SHELL_CHARS || page.scriptCount === 0) return false;
  if (visibleChars < BARE_CHARS || WANTS_SCRIPTS.test(page.noscriptText)) return true;
  return page.attributes.some(({ id }) => id !== undefined && APP_ROOTS.has(id));
}

interface Posts {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly marks: Marks;
}

/** Those by name alone must be signed, for a list of questions has such names too. */
function listPosts({ measures, sums, marks }: Posts): readonly number[] {
  const isSigned = (node: number) => countIn({ measures, list: marks.authors, node }) > 0;
  const posts = [...marks.posts, ...marks.named.filter(isSigned)]
    .filter((node) => charsIn(measures, sums, node) > 0)
    .sort((one, other) => one - other);
  return areComments({ measures, marks, members: posts }) ? [] : posts;
}

interface Members {
  readonly measures: Measures;
  readonly marks: Marks;
  readonly members: readonly number[];
}

function areComments({ measures, marks, members }: Members): boolean {
  const { page } = measures;
  const isComment = (node: number) => {
    const { itemtype = "", itemprop = "" } = attributesOf(page, node);
    if (COMMENT.test(itemtype) || COMMENT.test(itemprop)) return true;
    return [node, at(page.parents, node)].some((one) => measures.senseOf(one).isRemark);
  };
  if (!members.every(isComment)) return false;
  const proseIn = (node: number) => countIn({ measures, list: marks.prose, node });
  return marks.articles.some((article) => {
    const end = at(page.ends, article);
    const inside = members.filter((node) => node >= article && node < end);
    const own = proseIn(article) - inside.reduce((sum, node) => sum + proseIn(node), 0);
    return (
      !members.some((node) => node <= article && end <= at(page.ends, node)) &&
      own > MAX_OUTSIDE_CHARS
    );
  });
}

/** Prose between the title of the page and the first post is what the posts are about. */
function withQuestion({ measures, marks, members }: Members): readonly number[] {
  const { title } = marks;
  const [first = 0] = members;
  if (title === undefined || title >= first) return members;
  const from = at(measures.page.ends, title);
  const isAsked = from < first && at(marks.prose, first) > at(marks.prose, from);
  return isAsked ? [title, ...members] : members;
}

interface Group {
  readonly parent: number;
  readonly members: number[];
  chars: number;
}

function listGroups(measures: Measures, sums: Sums): readonly Group[] {
  const { page, dropped, blockChildren } = measures;
  const groups = new Map<string, Group>();
  const leastChars = measures.visibleChars * MIN_GROUP_SHARE;
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    const parent = at(page.parents, node);
    const tag = at(page.tags, node);
    if (
      !isBlock(tag) ||
      tag === HTML.p ||
      at(blockChildren, at(measures.blocks, parent)) < MIN_POSTS
    )
      continue;
    if (charsIn(measures, sums, parent) < leastChars) continue;
    const chars = charsIn(measures, sums, node);
    if (chars === 0) continue;
    // Boards give every other post another colour.
    const name = (attributesOf(page, node).className ?? "").replace(/\d+|\b(?:odd|even)\b/g, "");
    const key = `${parent} ${tag} ${name}`;
    const group = groups.get(key) ?? { parent, members: [], chars: 0 };
    group.members.push(node);
    group.chars += chars;
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ members, chars }) => members.length >= MIN_POSTS && chars >= leastChars)
    .filter(({ members }) => !areDataRows(measures, members))
    .sort((one, other) => other.chars - one.chars);
}

/** They belong together, so they are not entries. */
function areDataRows(measures: Measures, [first = 0]: readonly number[]): boolean {
  const { tags, parents } = measures.page;
  if (at(tags, first) !== HTML.tr) return false;
  let table = at(parents, first);
  while (table > 0 && at(tags, table) !== HTML.table) table = at(parents, table);
  return table > 0 && isDataTable(measures, table);
}

type GroupTest = (asked: {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly marks: Marks;
  readonly group: Group;
}) => boolean;

const isEntryList: GroupTest = ({ measures, marks, group, sums }) => {
  const { members, parent } = group;
  const asked = { measures, marks, group, sums };
  if (members.length < MIN_ENTRIES || hasProseOutside(asked) || isMenu(asked)) return false;
  const linked = members.filter(
    (node) => countIn({ measures, list: marks.headingLinks, node }) > 0,
  );
  if (linked.length >= members.length * 0.7) return true;
  return linksIn(measures, sums, parent) > charsIn(measures, sums, parent) * 0.4;
};

/** Links next to something to read, however short that is. */
const isMenu: GroupTest = ({ measures, sums, group }) => {
  const { page } = measures;
  for (let node = group.parent; node > 0; node = at(page.parents, node)) {
    if ((flagsOf(at(page.tags, node)) & FRAME) === 0 && !measures.senseOf(node).isFrame) continue;
    return measures.visibleChars - charsIn(measures, sums, node) >= BARE_CHARS;
  }
  return false;
};

const isThread: GroupTest = (asked) => {
  const { measures, marks, group } = asked;
  const { members } = group;
  if (members.length < MIN_POSTS || hasProseOutside(asked)) return false;
  if (areComments({ measures, marks, members })) return false;
  const signed = members.filter((node) => countIn({ measures, list: marks.authors, node }) > 0);
  return signed.length >= members.length * SIGNED_SHARE;
};

const hasProseOutside: GroupTest = ({ measures, marks, group }) => {
  const inside = countIn({ measures, list: marks.prose, node: group.parent });
  const outside = at(marks.prose, measures.page.count) - inside;
  return outside > Math.max(MAX_OUTSIDE_CHARS, group.chars * MAX_OUTSIDE_SHARE);
};

function countIn({
  measures,
  list,
  node,
}: {
  measures: Measures;
  list: Int32Array;
  node: number;
}): number {
  return at(list, at(measures.page.ends, node)) - at(list, node);
}

const MAX_CHARS = 1_000;
const TITLE =
  /^\s*(?:just a moment|attention required|one more step|are you a robot|are you human|access denied|robot check|security check|verify(?:ing)? you are human|checking your browser|please wait\b.{0,30}\bverif|captcha)/i;
const SAYS =
  /enable javascript and cookies to continue|verif(?:y|ying) (?:that )?you(?:'| a)re (?:a )?human|checking (?:if the site connection is secure|your browser before)|(?:complete|solve) the (?:captcha|security check)|unusual traffic from your (?:computer )?network|(?:prove|confirm) (?:that )?you(?:'| a)re (?:not a robot|human)|i(?:'| a)m not a robot|press (?:and|&) hold to confirm/i;
const MAX_TITLED_CHARS = 500;

function isRobotCheck({ page, chars, visibleChars }: Measures): boolean {
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
