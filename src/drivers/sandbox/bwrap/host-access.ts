// The way from a sandbox without network to the filtering proxy outside: the proxy's Unix socket is
// mounted inside, and a small forwarder makes it a port of loopback, which is all that programs know.

import { realpathSync } from "node:fs";

const INSIDE_SOCKET = "/run/clawtools-net";
const LOOPBACK = "127.0.0.1";
const PORT = 3_128;
/** Servers that a command starts itself are reached without the proxy. */
const DIRECT = "localhost,127.0.0.1,::1";

/**
 * Closes its output when it listens, which ends the wait of the shell; no connection may get that
 * number. It has no quotes of its own, so that any shell can quote it: its words are its arguments.
 */
const FORWARDER = [
  "const [,net,file,nothing,error,close,port,host,path,...signals]=process.argv,{createServer,connect}=require(net),fs=require(file)",
  "for(const signal of signals)process.on(signal,()=>{})",
  "createServer({allowHalfOpen:true},(near)=>{const far=connect({path,allowHalfOpen:true})",
  "for(const [one,other] of [[near,far],[far,near]]){one.pipe(other);one.on(error,()=>other.destroy());one.on(close,()=>other.destroy())}",
  "}).listen(port,host,()=>{fs.closeSync(1);fs.openSync(nothing)})",
].join(";");

/** bwrap's arguments for the socket. */
export function socketArguments(socketPath: string): string[] {
  return ["--ro-bind", socketPath, INSIDE_SOCKET];
}

/** Words for any shell: start the forwarder, wait until it listens. A parent that exits leaves it to init. */
export function forwarderScript(): string {
  const names = ["net", "fs", "/dev/null", "error", "close"];
  const args = [...names, PORT, LOOPBACK, INSIDE_SOCKET, "SIGINT", "SIGHUP"];
  const node = realpathSync(process.execPath);
  const words = `"${node}" -e "${FORWARDER}" ${args.join(" ")}`;
  return `: "$( (${words} </dev/null 2>/dev/null 3<&- &) )"`;
}

/** Where programs look for a proxy. */
export function proxyVariables(): Record<string, string> {
  const url = `http://${LOOPBACK}:${PORT}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const ofNpm = ["npm_config_proxy", "npm_config_https_proxy"];
  return {
    ...Object.fromEntries([...names, ...ofNpm].map((name) => [name, url])),
    ...{ NO_PROXY: DIRECT, no_proxy: DIRECT, npm_config_noproxy: DIRECT },
    // Node reads the variables above only with this flag.
    NODE_USE_ENV_PROXY: "1",
  };
}
