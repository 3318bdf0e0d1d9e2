// An address as people write it: without a scheme it is taken for one of https. Whatever is no
// address of a host stays as it is, for the network port to judge.

const HOST_FIRST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:[/?#]\S*)?$/i;

export function mendUrl(written: string): string {
  const url = written.trim();
  const mended = `https://${url}`;
  return HOST_FIRST.test(url) && URL.canParse(mended) ? mended : written;
}
