// The parameters of a call as one query: both spellings of ages, dates, domains and languages read
// into one form, so that no provider sees more than one.

import { type SearchQuery, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { WebSearchCall } from "./index.js";
import { MAX_QUERY_CHARS } from "./settings.js";

const AGES: Readonly<Record<string, NonNullable<SearchQuery["freshness"]>>> = {
  pd: "day",
  pw: "week",
  pm: "month",
  py: "year",
  day: "day",
  week: "week",
  month: "month",
  year: "year",
};
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const RANGE = /^(\d{4}-\d{2}-\d{2})to(\d{4}-\d{2}-\d{2})$/i;
const COUNTRY = /^(?:[a-z]{2}|all)$/i;
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z]{2,4})?$/i;
const WITH_REGION = /^([a-z]{2,3})[-_]([a-z]{2})$/i;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

type Params = WebSearchCall["params"];

export function readQuery(params: Params, { count }: { readonly count: number }): SearchQuery {
  const text = params.query.replace(/\s+/g, " ").trim();
  if (text === "" || text.length > MAX_QUERY_CHARS) {
    throw invalid(`query must have 1 to ${MAX_QUERY_CHARS} characters.`);
  }
  return {
    text,
    count,
    ...readPlace(params),
    ...readTime(params),
    ...readDomains(params.domain_filter ?? []),
  };
}

function readPlace({ country, search_lang: language, ui_lang: uiLanguage }: Params) {
  if (given(country) && !COUNTRY.test(country)) {
    throw invalid(`country must be two letters or ALL; received "${show(country)}".`);
  }
  if (given(language) && !LANGUAGE.test(language)) {
    throw invalid(`search_lang must be a language such as de; received "${show(language)}".`);
  }
  const [, tongue, region] = WITH_REGION.exec(uiLanguage ?? "") ?? [];
  if (given(uiLanguage) && (tongue === undefined || region === undefined)) {
    throw invalid(
      `ui_lang must have a language and a region, such as de-DE; received "${show(uiLanguage)}".`,
    );
  }
  return {
    ...(given(country) ? { country: country.toUpperCase() } : {}),
    ...(given(language) ? { language: language.toLowerCase().replace("_", "-") } : {}),
    ...(tongue && region ? { uiLanguage: `${tongue.toLowerCase()}-${region.toUpperCase()}` } : {}),
  };
}

function readTime({ freshness, date_after, date_before }: Params) {
  const dates = {
    ...(given(date_after) ? { dateAfter: readDate("date_after", date_after) } : {}),
    ...(given(date_before) ? { dateBefore: readDate("date_before", date_before) } : {}),
  };
  if (!given(freshness)) return inOrder(dates);
  if (Object.keys(dates).length > 0) {
    throw wrongTime("give freshness, or date_after and date_before, not both.");
  }
  const age = Object.hasOwn(AGES, freshness.toLowerCase())
    ? AGES[freshness.toLowerCase()]
    : undefined;
  if (age !== undefined) return { freshness: age };
  const [, after, before] = RANGE.exec(freshness) ?? [];
  if (after === undefined || before === undefined) {
    throw wrongTime(
      `freshness must be day, week, month, year, pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD; received "${show(freshness)}".`,
    );
  }
  const dateAfter = readDate("freshness", after);
  return inOrder({ dateAfter, dateBefore: readDate("freshness", before) });
}

interface Dates {
  readonly dateAfter?: string;
  readonly dateBefore?: string;
}

function inOrder(dates: Dates): Dates {
  const { dateAfter, dateBefore } = dates;
  if (dateAfter !== undefined && dateBefore !== undefined && dateAfter > dateBefore) {
    throw wrongTime(`the first date, ${dateAfter}, is later than the second, ${dateBefore}.`);
  }
  return dates;
}

function readDate(name: string, text: string): string {
  const date = text.trim();
  const time = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(date)) {
    throw wrongTime(`${name} must be a day such as 2026-01-31; received "${show(text)}".`);
  }
  return date;
}

function readDomains(filter: readonly string[]) {
  if (filter.length === 0) return {};
  const excluded = filter.filter((entry) => entry.trim().startsWith("-"));
  if (excluded.length > 0 && excluded.length < filter.length) {
    throw invalid("domain_filter must name domains to keep or, all with a -, to leave out.");
  }
  const domains = [...new Set(filter.map(readDomain))];
  return excluded.length > 0 ? { excludeDomains: domains } : { includeDomains: domains };
}

function readDomain(entry: string): string {
  const text = entry
    .trim()
    .replace(/^-/, "")
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^(?:\*\.|\.)/, "");
  const address = `http://${text}`;
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  if (!DOMAIN.test(host)) throw invalid(`domain_filter: "${show(entry)}" is not a domain.`);
  return host;
}

function given(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

function show(text: string): string {
  return toPrintable(text, 80);
}

function invalid(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "search_parameter_invalid" });
}

function wrongTime(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "invalid_freshness" });
}
