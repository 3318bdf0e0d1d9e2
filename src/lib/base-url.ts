// What is wrong with the address of a service that a person configured, before a key is sent there.

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;
const PRIVATE_IPV4 =
  /^(?:(?:10|127)\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/;
const LOCAL_IPV6 = /^\[(?:::1\]|f[cd][\da-f]{2}:)/;

/** As the end of a sentence that begins with its place in the config; undefined when it can be asked. */
export function findBaseUrlFault(baseUrl: string, sample: string): string | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return `is not an address; write one like ${sample}.`;
  }
  if (url.username !== "" || url.password !== "") {
    return "has a user name or password in it; leave them out.";
  }
  if (url.protocol === "https:" || isOwnNetwork(url.hostname)) return undefined;
  return "is a public address without encryption; write it with https.";
}

function isOwnNetwork(host: string): boolean {
  const isName = !host.includes(".") && !host.startsWith("[");
  return isName || LOCAL_NAME.test(host) || PRIVATE_IPV4.test(host) || LOCAL_IPV6.test(host);
}
