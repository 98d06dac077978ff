import { fork } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";

/**
 * Durable webhooks per second, each group synced to disk before its answer, beside an empty handler on Probot's own
 * server: the same signed payload, the same load. The consumer does not run: this is what a burst of webhooks meets. What it will
 * then cost to move them from the inbox's journal into the database is measured beside it.
 */
const CONNECTIONS = 10;
const SECONDS = 5;
const WARM_UP_SECONDS = 1;
const SECRET = "a secret for the benchmark, 32 bytes or more";
const PATH = "/api/github/webhooks";

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly requests: readonly object[];
}
interface Measured {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly "2xx": number;
  readonly non2xx: number;
  readonly errors: number;
}
type Side = Measured & { readonly stoppedInMs: number; readonly seen: number };

const require = createRequire(import.meta.url);
const autocannon: (load: Load) => PromiseLike<Measured> = require("autocannon");

const body = recordedIssue();
const headers = {
  "content-type": "application/json",
  "x-github-event": "issues",
  "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
};
const request = {
  method: "POST",
  path: PATH,
  body,
  setupRequest: (given: { headers: object }) => ({
    ...given,
    headers: { ...given.headers, ...headers, "x-github-delivery": randomUUID() },
  }),
};

const probot = await measure("probot");
const durable = await measure("durable");
print(`${body.length} bytes, ${CONNECTIONS} connections, ${SECONDS} s each`);
print("");
print("                                  req/s   p50 ms   p99 ms");
print(line("Flotilla, synced before the answer", durable));
print(line("Probot, empty handler, in memory", probot));
print("");
const each = (1000 * durable.stoppedInMs) / durable.seen;
print(`Moving them into the database took ${each.toFixed(0)} µs each, after the answers.`);
print(`Flotilla takes ${(durable.requests.average / probot.requests.average).toFixed(2)} times as many.`);

/** Starts one side, warms it up, measures it; throws when a request failed or was not seen. */
async function measure(side: "durable" | "probot"): Promise<Side> {
  const port = await freePort();
  const child = fork(new URL("intake-server.ts", import.meta.url), [side, SECRET, String(port)]);
  const ended = once(child, "exit");
  await once(child, "message");
  const load = { url: `http://127.0.0.1:${port}`, connections: CONNECTIONS, requests: [request] };
  const warmUp = await autocannon({ ...load, duration: WARM_UP_SECONDS });
  const measured = await autocannon({ ...load, duration: SECONDS });
  child.send("stop");
  const [{ seen, stoppedInMs }] = await once(child, "message");
  await ended;
  const answered = warmUp["2xx"] + measured["2xx"];
  if (measured.non2xx > 0 || measured.errors > 0 || seen < answered) {
    throw new Error(
      `${side}: ${measured.non2xx} refused, ${measured.errors} errors, ${seen} of ${answered} seen`,
    );
  }
  return { ...measured, stoppedInMs, seen };
}

/** Probot takes port 0 for 3000, so a free one is found first. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

function recordedIssue(): string {
  const file = require.resolve("@octokit/webhooks-examples");
  const recorded: readonly { name: string; examples: readonly { action?: string }[] }[] = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const issues = recorded.find(({ name }) => name === "issues");
  return JSON.stringify(issues?.examples.find(({ action }) => action === "opened"));
}

function line(name: string, { requests, latency }: Measured): string {
  const numbers = [requests.average.toFixed(0), latency.p50.toFixed(0), latency.p99.toFixed(0)];
  return `${name.padEnd(34)}${numbers.map((text) => text.padStart(8)).join(" ")}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
