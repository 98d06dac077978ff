import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { StartupRefused } from "../domain/kernel/errors.ts";
import { type Finding, sentence } from "./start-checks/finding.ts";

const ELSEWHERE = [
  "is no address of this machine",
  "Set HOST to one of its addresses, or to 127.0.0.1",
] as const;

/** By the code of the error. */
const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  EADDRINUSE: ["is taken by another program: webhooks would go to that one", "Stop it, or set PORT"],
  EACCES: [
    "may not be listened on by this user",
    "Set PORT to 1024 or more, or give the right to the service",
  ],
  EADDRNOTAVAIL: ELSEWHERE,
  EAI_AGAIN: ELSEWHERE,
  ENOTFOUND: ELSEWHERE,
};

/** Returns why nothing can listen on the address, and what to do. */
export function notListening({ host, port }: { host: string; port: number }, code: string): Finding {
  const [what, next] = REASONS[code] ?? [
    `cannot be listened on (${code})`,
    "Set HOST and PORT to an address of this machine",
  ];
  return { about: `${host}:${port}`, what, next };
}

/** Returns the code of the error with which listening fails; undefined when it succeeds. */
export function listenError(at: { host: string; port: number }): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ ...at, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Listens on the operator's address, and returns its URL. Throws `StartupRefused` if it cannot. */
export async function listen(server: Server, at: { host: string; port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new StartupRefused([sentence(notListening(at, error.code ?? error.message))]));
    });
    server.listen(at.port, at.host, resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : at.port;
  return `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${port}`;
}

/** Stops accepting connections. Resolves after the last answer, or after 2 s. */
export async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 2000).unref();
  await done;
}
