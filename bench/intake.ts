import { fork } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { Bench, Size } from "./bench.ts";
import { inTemporary } from "./work.ts";

/**
 * Measures durable webhooks per second, each group synced to disk before its answer. The reference is an empty handler
 * on Probot's own server, with the same signed payload and the same load. The consumer does not run: this is what a
 * burst of webhooks meets. Also measures what moving them from the inbox's journal into the database costs later.
 */
export const intake: Bench = {
  name: "intake",
  about: "signed webhooks, on the disk before the answer, beside an empty handler on Probot's server",
  async run(size) {
    const sides: { readonly durable: Side; readonly probot: Side }[] = [];
    for (let round = 0; round < SIZES[size].rounds; round += 1)
      sides.push({
        probot: await inTemporary((directory) => measureIntake("probot", directory, size)),
        durable: await measureFile(size),
      });
    const durable = sides.map((side) => side.durable);
    const of = (value: (side: Side) => number) => ({
      ours: durable.map(value),
      reference: {
        name: "Probot, empty handler, in memory",
        rounds: sides.map(({ probot }) => value(probot)),
      },
    });
    return [
      { what: "webhooks answered", unit: "per second", ...of(({ requests }) => requests.average) },
      { what: "99 % answered within", unit: "ms", ...of(({ latency }) => latency.p99) },
      {
        what: "webhooks moved into the database afterwards",
        unit: "per second",
        ours: durable.map(({ seen, stoppedInMs }) => (1000 * seen) / stoppedInMs),
        reference: { name: "answered", rounds: durable.map(({ requests }) => requests.average) },
      },
    ];
  },
};

const SIZES = {
  full: { rounds: 3, connections: 10, warmUp: { duration: 1 }, load: { duration: 4 } },
  small: { rounds: 1, connections: 2, warmUp: { amount: 4 }, load: { amount: 20 } },
} as const;

const SECRET = "a secret for the benchmark, 32 bytes or more";
const PATH = "/api/github/webhooks";

/** `duration` in seconds, `amount` in requests. */
interface Load {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly object[];
  readonly duration?: number;
  readonly amount?: number;
}
interface Answers {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p99: number };
  readonly "2xx": number;
  readonly non2xx: number;
  readonly errors: number;
}
type Side = Answers & { readonly stoppedInMs: number; readonly seen: number };

const require = createRequire(import.meta.url);
const autocannon: (load: Load) => PromiseLike<Answers> = require("autocannon");

const measureFile = (size: Size) => inTemporary((directory) => measureIntake("file", directory, size));

/** Starts one side at its place, warms it up and measures it. Throws if a request failed or was not received. */
export async function measureIntake(
  side: "file" | "server" | "probot",
  place: string,
  size: Size,
): Promise<Side> {
  const { connections, warmUp, load } = SIZES[size];
  const port = await freePort();
  const child = fork(new URL("intake-server.ts", import.meta.url), [side, SECRET, String(port), place], {
    execArgv: [],
  });
  const ended = once(child, "exit");
  const gone = ended.then(([code]) => {
    throw new Error(`the server of ${side} ended with ${String(code)} before it was asked to`);
  });
  const said = () => Promise.race([once(child, "message"), gone]);
  try {
    await said();
    const at = { url: `http://127.0.0.1:${port}`, connections, requests: [signedRequest()] };
    const warmed = await autocannon({ ...at, ...warmUp });
    const measured = await autocannon({ ...at, ...load });
    child.send("stop");
    const [{ seen, stoppedInMs }] = await said();
    await ended;
    const answered = warmed["2xx"] + measured["2xx"];
    if (measured.non2xx > 0 || measured.errors > 0 || seen < answered) {
      throw new Error(
        `${side}: ${measured.non2xx} refused, ${measured.errors} errors, ${seen} of ${answered} seen`,
      );
    }
    return { ...measured, stoppedInMs, seen };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Gives each request its own id: a known one would not be written again. */
function signedRequest(): object {
  const body = recordedIssue();
  const headers = {
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  return {
    method: "POST",
    path: PATH,
    body,
    setupRequest: (given: { headers: object }) => ({
      ...given,
      headers: { ...given.headers, ...headers, "x-github-delivery": randomUUID() },
    }),
  };
}

/** Finds a free port first, because Probot treats port 0 as 3000. */
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
