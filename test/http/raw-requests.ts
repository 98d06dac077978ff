import { connect, type NetConnectOpts, type Socket } from "node:net";

/** Targets that `new URL(target, base)` cannot read, or that no route expects. */
export const BAD_TARGETS = [
  "//",
  "http://",
  "http://[::bad",
  "//[",
  "//a:b/",
  "http://a:99999/",
  "*",
  "?",
  "/%",
  "/%ff",
  "/api/agents/%ff",
  "/api/%c0%af",
  "/api/agents?state=%ff",
  "/sign-in/github/done?state=%&code=%zz",
  "/page/%ff/x.js",
  "http://localhost/healthz",
  "/\\..\\..",
  "/api/github/webhooks/%ff",
  "/metrics?%",
] as const;

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
const STARTS = [
  "/",
  "/",
  "/api/",
  "/api/agents/",
  "/api/github/webhooks",
  "/metrics",
  "/sign-in/github",
  "/page/",
];
const PIECES = [
  "/",
  "//",
  "..",
  "%",
  "%ff",
  "%2f",
  "%00",
  "?",
  "&",
  "=",
  "#",
  "a",
  "7",
  "[",
  "]",
  ":",
  "@",
  "*",
];
const MORE_PIECES = [
  "\\",
  ";",
  "api",
  "healthz",
  "agents",
  "tasks",
  "state=",
  "after=-1",
  "%F0%9F%98%80",
  "~",
  "'",
];
const HEADERS = [
  "Authorization: Bearer wrong",
  "Authorization: ",
  "Authorization: Bearer",
  "Cookie: flotilla_session=a.b; flotilla_session=c",
  "Cookie: =;;;==; flotilla_sign_in=",
  "Content-Type: application/json",
  "Content-Length: 0",
  "Origin: null",
  "Origin: http://[",
  "Sec-Fetch-Site: cross-site",
  "X-Forwarded-Proto: https",
  "X-Forwarded-For: ,,,",
  "X-Hub-Signature-256: sha256=00",
  "Last-Event-ID: -1",
  "Accept-Encoding: *",
  'If-None-Match: W/""',
  "Range: bytes=-1",
  "Upgrade: h2c",
];

/** Those that the parser of HTTP takes. */
const PARSED = BAD_TARGETS.filter((target) => target !== "?");

function pick<T>(from: readonly T[], random: () => number): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}

/** A request without a body that the parser of HTTP takes, on a connection that stays open. */
export function randomRequest(random: () => number): string {
  const pieces = Array.from({ length: Math.floor(random() * 8) }, () =>
    pick(random() < 0.5 ? PIECES : MORE_PIECES, random),
  );
  const target = random() < 0.1 ? pick(PARSED, random) : `${pick(STARTS, random)}${pieces.join("")}`;
  // A header that comes twice is refused by the parser, and ends the connection.
  const headers = new Set(Array.from({ length: Math.floor(random() * 3) }, () => pick(HEADERS, random)));
  return [`${pick(METHODS, random)} ${target} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}

/** Bytes that are hardly a request: cut, doubled or filled with noise. */
export function brokenRequest(random: () => number): Buffer {
  const bytes = Buffer.from(randomRequest(random), "latin1");
  const noise = Buffer.from(
    Array.from({ length: 1 + Math.floor(random() * 12) }, () => Math.floor(random() * 256)),
  );
  const at = Math.floor(random() * bytes.length);
  return Buffer.concat([
    bytes.subarray(0, at),
    noise,
    bytes.subarray(random() < 0.5 ? at : at + noise.length),
  ]);
}

/** Sends bytes, ends its side, and resolves with all that came until the connection was closed. */
export async function sendRaw(at: NetConnectOpts, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(at);
  socket.end(bytes);
  return readAll(socket);
}

/** All that comes until the connection is closed, by a reset too. */
export function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
  });
  socket.on("error", () => undefined);
  return new Promise((resolve) => socket.once("close", () => resolve(text)));
}

/** The final statuses of the answers in a text, in order. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)]
    .map(([, status]) => Number(status))
    .filter((each) => each >= 200);
}
