// Words that say nothing about what is looked for; left out of a query unless nothing else is left.

const WORDS = [
  "a an and any are as at be been but by can could did do does for from get had has have he her him",
  "his how i if in into is it its just kept let may me might more most much must my no nor not of off",
  "on or our out over own per please shall she should so some such tell than that the their them then",
  "there these they this those to too up us very was we were what when where which while who whom whose",
  "why will with would yes yet you your about again also because before being both during each ever",
  "find give got here look looking many note notes one ones only other same show since still thing",
  "things through under until want wants way well went whether",
  "der die das den dem des ein eine einer eines und oder ist sind war mit von zu im in auf wie was wer",
  "le la les un une des et ou est sont avec pour dans sur que qui de du au aux",
  "el los las una y es son con para por en del al",
];

/** In lower case. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.join(" ").split(" "));

/** Whoever says one of these asks for what was written last. */
export const NOW_WORDS: ReadonlySet<string> = new Set([
  ..."latest last newest recent recently lately new now current currently today yesterday".split(
    " ",
  ),
  ..."aktuell neueste heute gestern zuletzt".split(" "),
  ..."最新 最近 今天 現在 今日 최근 오늘".split(" "),
]);
