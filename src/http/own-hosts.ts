import { isIP } from "node:net";
import { answerText, type Route } from "./http-server.ts";

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/**
 * Refuses requests whose host name is not ours. Otherwise another site could use DNS rebinding to make its page and
 * this server the same origin for a browser; a numeric address cannot be rebound. `except` lists paths that may
 * be requested under any host name.
 */
export function ownHostsOnly(names: readonly string[], except: readonly string[]): Route {
  const own = new Set(names.map((name) => name.toLowerCase()));
  return ({ request, response, target }) => {
    if (except.includes(target.path) || isOwn(request.headers.host, own)) return null;
    answerText(
      { request, response },
      421,
      "Flotilla is not known by this host name. Open it as localhost or by its IP address, or add the name to FLOTILLA_HOSTS.\n",
      { connection: "close" },
    );
    return Promise.resolve();
  };
}

/** Returns whether a `Host` header names this machine. Programs may omit the header; browsers never do. */
function isOwn(header: string | undefined, own: ReadonlySet<string>): boolean {
  if (header === undefined || header === "") return true;
  const name = hostNameOf(header);
  return name !== null && (isIP(name) !== 0 || isLoopback(name) || own.has(name));
}

/** Returns the lower-case name in a `Host` header, without port and brackets; null if it is invalid. */
function hostNameOf(header: string): string | null {
  const name = HOST.exec(header)?.[1];
  return name?.toLowerCase().replace(/^\[|\]$|\.$/g, "") ?? null;
}

/** Returns whether a name or an address is a loopback one. */
export function isLoopback(name: string): boolean {
  return name === "::1" || /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3})$/.test(name);
}
