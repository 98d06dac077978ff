import { Socket } from "node:net";

/** Where a call of `Socket.connect` leads: a host name or address, or null for a path on this machine. */
export function hostOf(args: readonly unknown[]): string | null {
  // `net.connect` hands over [options, callback] as one argument.
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
 * From now on no socket of this process connects to another machine: it fails with ECONNREFUSED before the name is even
 * looked up, and `refused` is told. Processes that a test starts are not covered; they get loopback addresses only.
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
