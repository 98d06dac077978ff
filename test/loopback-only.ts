import { Socket } from "node:net";

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Where a call of `Socket.connect` leads: a host name or address, or null for a path on this machine. */
export function hostOf(args: readonly unknown[]): string | null {
  // `net.connect` hands over [options, callback] as one argument.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null) {
    const { path, host } = first as { path?: unknown; host?: unknown };
    if (typeof path === "string") return null;
    return typeof host === "string" && host !== "" ? host : "localhost";
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return null;
  return typeof second === "string" ? second : "localhost";
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|::ffff:127(\.\d{1,3}){3})$/i.test(host);
}

/**
 * From now on no socket of this process connects to another machine: it fails with ECONNREFUSED before the name is even
 * looked up, and `refused` is told. Processes that a test starts are not covered; they get loopback addresses only.
 */
export function loopbackOnly(refused: (host: string) => void): void {
  const connect = Socket.prototype.connect as Connect;
  const guarded: Connect = function (...args) {
    const host = hostOf(args);
    if (host === null || isLoopback(host)) return connect.apply(this, args);
    refused(host);
    const error = Object.assign(new Error(`tests may not connect to ${host}`), { code: "ECONNREFUSED" });
    return this.destroy(error);
  };
  Socket.prototype.connect = guarded as typeof Socket.prototype.connect;
}
