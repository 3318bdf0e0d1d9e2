// Whether a heading only says again what the title of the page says.

/** Titles of pages often have the name of the site behind them. */
export function isTitle(heading: string, title: string): boolean {
  const [own, page] = [heading, title].map((text) =>
    text
      .toLowerCase()
      .replace(/[\s\u200b]+/g, " ")
      .trim(),
  );
  if (own === undefined || page === undefined || own === "") return false;
  return page === own || page.startsWith(`${own} `) || page.endsWith(` ${own}`);
}
