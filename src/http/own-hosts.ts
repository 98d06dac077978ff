import { isIP } from "node:net";
import { answerText, type Route } from "./http-server.ts";

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/**
 * Refuses requests under a host name that is not ours: with such a name another site could make its own page and this
 * server one origin for a browser. An address in numbers cannot be taken over so. `except` names paths that anybody may ask.
 */
export function ownHostsOnly(names: readonly string[], except: readonly string[]): Route {
  const own = new Set(names.map((name) => name.toLowerCase()));
  return ({ request, response, target }) => {
    if (except.includes(target.path) || isOwn(request.headers.host, own)) return null;
    answerText(
      { request, response },
      421,
      "Flotilla is not known by this host name. Open it as localhost or by its address in numbers, or add the name to FLOTILLA_HOSTS.\n",
      { connection: "close" },
    );
    return Promise.resolve();
  };
}

/** Whether a `Host` header names this machine; programs may leave it out, browsers never do. */
function isOwn(header: string | undefined, own: ReadonlySet<string>): boolean {
  if (header === undefined || header === "") return true;
  const name = hostNameOf(header);
  return name !== null && (isIP(name) !== 0 || isLoopback(name) || own.has(name));
}

/** The name in a `Host` header in small letters, without port and brackets; null when it is none. */
function hostNameOf(header: string): string | null {
  const name = HOST.exec(header)?.[1];
  return name?.toLowerCase().replace(/^\[|\]$|\.$/g, "") ?? null;
}

/** Whether a name or an address means this machine and no other. */
export function isLoopback(name: string): boolean {
  return name === "::1" || /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3})$/.test(name);
}
