import { Socket } from "node:net";

/** Returns the target of a `Socket.connect` call: a host name or address, or null for a path on this machine. */
export function hostOf(args: readonly unknown[]): string | null {
  // `net.connect` passes [options, callback] as one argument.
  const [first, second]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "object" && first !== null) {
    if ("path" in first && typeof first.path === "string") return null;
    return "host" in first && typeof first.host === "string" && first.host !== "" ? first.host : "localhost";
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return null;
  return typeof second === "string" ? second : "localhost";
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i.test(host);
}

/**
 * Keeps all sockets of this process from connecting to other machines: they fail with ECONNREFUSED before the name is
 * looked up, and `refused` is called. Does not cover processes that a test starts; these get only loopback addresses.
 */
export function loopbackOnly(refused: (host: string) => void): void {
  // oxlint-disable-next-line typescript/unbound-method -- Reflect.apply gives it its socket
  Socket.prototype.connect = new Proxy(Socket.prototype.connect, {
    apply(connect, socket: Socket, args: Parameters<Socket["connect"]>) {
      const host = hostOf(args);
      if (host === null || isLoopback(host)) return Reflect.apply(connect, socket, args);
      refused(host);
      const error = new Error(`tests may not connect to ${host}`);
      return socket.destroy(Object.assign(error, { code: "ECONNREFUSED" }));
    },
  });
}
