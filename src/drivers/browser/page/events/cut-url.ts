// Addresses as answers and records have them: a page can make its own as long as it likes.

const MAX_URL_CHARS = 2_000;

export function cutUrl(url: string): string {
  return url.length <= MAX_URL_CHARS ? url : `${url.slice(0, MAX_URL_CHARS)}…`;
}
