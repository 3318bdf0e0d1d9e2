// What the names of classes say about a block. Names are taken apart at hyphens, underscores and
// capitals, and whole parts are compared, so that `shadow` has nothing to do with `ad`.

/** Around the content: menus, adverts, calls to sign up. A part that begins so. */
const FRAME_STARTS = words(
  "advert breadcrumb catlink colophon cookie copyright crumb disclaimer dropdown facet footer gdpr masthead menu nav(?!al|y) newsletter outbrain pager paginat popup promo(?!nt) recommend related shar(?:e|ing) sidebar sidenav signup skip(?!per) social(?!is) sponsor subscri taboola tagcloud toolbar topbar topnav trending widget",
);
const FRAME_WORDS = words(
  "ad ads banner basket cart consent cta edit editsection foot headerlink interstitial jump legal login metadata modal noprint overlay paywall permalink rail rss search shoutbox side similar taglist tags teaser ticker toc tooltip upsell",
);
const REMARK_STARTS = words(
  "comment(?!ary|ator) disqus discussion remark(?!able) repl(?:y|ies) respond(?!ent) trackback",
);
const BODY_WORDS = words(
  "article blog body column content entry main markdown page post prose story text wrapper wrap container layout grid row",
);
const AUTHOR_STARTS = words(
  "author avatar comhead creator member nick poster profile signature user",
);
/** A name that begins so speaks of a state: `has-sidebar` is not a sidebar. */
const STATE = /^(?:has|no|not|with|without|is|js|hide|show|sticky|off)$/;
/** A name that ends so speaks of a state as well: `CtxtMenu_Attached_0` is a formula with a menu. */
const STATE_END =
  /^(?:attached|active|closed|collapsed|disabled|enabled|expanded|loaded|open|opened|ready|visible)$/;
const NOTE = /(?:^|[\s_-])(?:admonition|callout|note|warning|tip|important|caution)(?:[\s_-]|$)/i;
const POST = /^-(?:question|answer|js-question|js-answer)-$/;
const NUMBERS =
  /(?:^|[\s_-])(?:line-?numbers?(?:-rows)?|linenos?|lineno|gutter|blob-num|rouge-gutter)(?:[\s_-]|$)/i;

export interface ClassSense {
  readonly isFrame: boolean;
  readonly isRemark: boolean;
  readonly isAuthor: boolean;
  readonly isPost: boolean;
}

const MAX_CLASS_CHARS = 300;

const FRAME = matcher({ starts: FRAME_STARTS, words: FRAME_WORDS });
const REMARK = matcher({ starts: REMARK_STARTS });
const AUTHOR = matcher({ starts: AUTHOR_STARTS, words: ["age", "date", "by", "posted", "name"] });
const BODY: ReadonlySet<string> = new Set(BODY_WORDS);

export function createClassSense(): (className: string | undefined) => ClassSense {
  const known = new Map<string, ClassSense>();
  return (className = "") => {
    const before = known.get(className);
    if (before !== undefined) return before;
    const sense = judgeClass(className.slice(0, MAX_CLASS_CHARS));
    known.set(className, sense);
    return sense;
  };
}

export function isNote(className: string | undefined): boolean {
  return className !== undefined && NOTE.test(className);
}

export function isLineNumbers(className: string | undefined): boolean {
  return className !== undefined && NUMBERS.test(className);
}

function judgeClass(className: string): ClassSense {
  let isFrame = false;
  let isRemark = false;
  let isAuthor = false;
  let isPost = false;
  for (const name of className.split(/\s+/)) {
    const parts = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[-_:]+/)
      .filter(Boolean);
    const last = parts.findLast((part) => !/^\d+$/.test(part)) ?? "";
    if (STATE.test(parts[0] ?? "") || STATE_END.test(last)) continue;
    const joined = `-${parts.join("-")}-`;
    const isBody = BODY.has(parts.at(-1) ?? "");
    isFrame ||= FRAME.test(joined) && !isBody;
    isRemark ||= REMARK.test(joined) && !isBody;
    isAuthor ||= AUTHOR.test(joined);
    isPost ||= POST.test(joined);
  }
  return { isFrame, isRemark, isAuthor, isPost };
}

interface Matched {
  readonly starts: readonly string[];
  readonly words?: readonly string[];
}

function matcher({ starts, words: whole = [] }: Matched): RegExp {
  return new RegExp(`-(?:${[...starts, ...whole.map((word) => `${word}-`)].join("|")})`);
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
