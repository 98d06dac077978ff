import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import { proved } from "../../proved.ts";
import { randomOf } from "../../random.ts";
import { answeringServer, type Wire } from "./answering-server.ts";
import { damaged, formFaults, GONE, type Path, pathsOf, placesIn, WRONG } from "./damage.ts";
import { CALLS, type Call, clientOf } from "./every-call.ts";
import { operationsCalled, textsOfRoom } from "./ways-to-github.ts";

const SEED = 20_261_123;
const ROUNDS = 3_000;
/** What every call asks before its own question; it is damaged where it is read for itself. */
const BEFOREHAND: ReadonlyMap<string, string> = new Map([
  ["GET /app", "identity"],
  ["GET /app/installations", "identity"],
  ["GET /users/{username}", "identity"],
  ["POST /app/installations/{installation_id}/access_tokens", "gitToken"],
]);

let server: Awaited<ReturnType<typeof answeringServer>>;
const operations = new Set<string>();
const count = { tried: 0, refused: 0 };

beforeAll(async () => {
  server = await answeringServer();
});
afterAll(async () => {
  await server.close();
  proved({
    promise:
      "An answer of GitHub's with a missing, mistyped or cut-off part is a value or a named error, never a crash",
    test: "test/adapters/github/answers-read.test.ts",
    figure: `${count.tried} damaged answers of ${operations.size} operations over HTTP, ${count.refused} refused by name`,
  });
});

const goods = new Map<string, Promise<Good>>();
function goodOf(name: string, call: Call): Promise<Good> {
  const known = goods.get(name) ?? readGood(name, call);
  goods.set(name, known);
  return known;
}

/** One call with a client of its own, and what came of it while nothing was damaged. */
async function readGood(name: string, call: Call) {
  const fresh = [...BEFOREHAND.values(), "appFromManifest"].includes(name);
  let client = clientOf(server.url);
  const run = async (): Promise<unknown> => {
    if (fresh) client = clientOf(server.url);
    // The limits of a minute are new, and a permission is not remembered.
    client.clock.move(60_000);
    return call.run(client.github, server.url);
  };
  server.answer(call);
  server.taken();
  const value = await run();
  const asked = [...new Set(server.taken().map(({ operation }) => operation))];
  return {
    call,
    run,
    value,
    asked: asked.filter(
      (one) => !call.whole && (name === "appSettings" || [undefined, name].includes(BEFOREHAND.get(one))),
    ),
  };
}
type Good = Awaited<ReturnType<typeof readGood>>;

/** What is wrong with what comes of a damaged answer, and whether the damage was not even seen. */
async function damageOne({ call, run, value: good }: Good, operation: string, wire: (body: string) => Wire) {
  count.tried += 1;
  server.answer(call, operation, wire);
  server.taken();
  try {
    const value = await run();
    return { unseen: isDeepStrictEqual(value, good), faults: formFaults(good, value) };
  } catch (error) {
    count.refused += 1;
    if (!(error instanceof OutsideError)) return { unseen: false, faults: [`it throws ${String(error)}`] };
    const line = server.taken().find((one) => one.operation === operation)?.line ?? "nothing";
    const named = error.message.includes(line) || error.code === "no_webhook";
    return { unseen: false, faults: named ? [] : [`${line} is not named in: ${error.message}`] };
  }
}

/** The answer as it goes over the wire undamaged; undefined where it has no JSON. */
async function bodyOf(good: Good, operation: string): Promise<unknown> {
  let text = "";
  await damageOne(good, operation, (body) => ({ body: (text = body) }));
  return text === "" ? undefined : JSON.parse(text);
}

it.each(Object.entries(CALLS))(
  "%s reads what GitHub describes, and no damaged field of it",
  async (name, call) => {
    const good = await goodOf(name, call);
    expect(formFaults(good.value, good.value)).toEqual([]);
    const faults: string[] = [];
    for (const operation of good.asked) {
      operations.add(operation);
      const whole = await bodyOf(good, operation);
      const tried = async (paths: readonly Path[], wrong: unknown): Promise<boolean> => {
        const body = JSON.stringify(damaged(whole, paths, wrong));
        const found = await damageOne(good, operation, () => ({ body }));
        const what = `${operation} with ${String(wrong)} at ${paths.map((path) => path.join(".")).join(" ")}`;
        faults.push(...found.faults.map((fault) => `${what}: ${fault}`));
        return found.unseen;
      };
      /** Those of the places that the call reads: half and half, since it reads few. */
      const read = async (places: readonly Path[]): Promise<Path[]> => {
        if (places.length === 0) return [];
        const unseen = (await tried(places, GONE)) && (await tried(places, 7)) && (await tried(places, {}));
        if (unseen) return [];
        if (places.length === 1) return [...places];
        const half = places.length >> 1;
        return [...(await read(places.slice(0, half))), ...(await read(places.slice(half)))];
      };
      const within = async (path: Path): Promise<void> => {
        for (const place of await read(placesIn(whole, path))) {
          await tried([place], null);
          await within(place);
        }
      };
      await within([]);
    }
    expect(faults).toEqual([]);
  },
);

const PAGE = "<!doctype html><title>Sign in to the network</title>";
const BODIES: readonly (readonly [string, (body: string) => Wire])[] = [
  ["nothing", () => ({ body: "" })],
  ["nothing, without a type", () => ({ body: "", type: "" })],
  ["204 and nothing", () => ({ body: "", status: 204 })],
  ["304 that nobody asked for", () => ({ body: "", status: 304 })],
  ["a page of a proxy", () => ({ body: PAGE, type: "text/html" })],
  ["a page that is called JSON", () => ({ body: PAGE })],
  ["half of it", (body) => ({ body: body.slice(0, body.length >> 1) })],
  ["a list for an object", (body) => ({ body: body.startsWith("[") ? "{}" : "[]" })],
  ["an empty one of the same kind", (body) => ({ body: body.startsWith("[") ? "[]" : "{}" })],
  ["a list of nothings", () => ({ body: "[null, 1, {}]" })],
  ["null", () => ({ body: "null" })],
  ["a text", () => ({ body: '"text"' })],
  ["a number", () => ({ body: "12" })],
  ["bytes", () => ({ body: "\u0000\u0001", type: "application/octet-stream" })],
  ["an error's text with 200", () => ({ body: '{"message":"Server Error"}' })],
  [
    "senseless headers",
    (body) => ({
      body,
      headers: {
        link: '<::>; rel="next"',
        etag: "?",
        "x-ratelimit-remaining": "no",
        "x-ratelimit-reset": "never",
      },
    }),
  ],
];

it.each(BODIES)("what comes is %s", async (what, wire) => {
  const faults: string[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const good = await goodOf(name, call);
    for (const operation of good.asked) {
      const found = await damageOne(good, operation, wire);
      faults.push(...found.faults.map((fault) => `${name}, ${operation}: ${what}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

it(`survives ${ROUNDS} answers that are damaged at random`, async () => {
  const random = randomOf(SEED);
  const one = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const answers: { good: Good; operation: string; whole: unknown; paths: readonly Path[] }[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const good = await goodOf(name, call);
    for (const operation of good.asked) {
      const whole = await bodyOf(good, operation);
      if (whole !== undefined) answers.push({ good, operation, whole, paths: pathsOf(whole) });
    }
  }
  const faults: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = one(answers);
    if (answer === undefined) break;
    const { good, operation, whole, paths } = answer;
    let body = whole;
    const done: string[] = [];
    for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
      const path = one(paths) ?? [];
      const wrong = one(WRONG);
      done.push(`${String(wrong)} at ${path.join(".")}`);
      body = damaged(body, [path], wrong);
    }
    const text = JSON.stringify(body);
    const found = await damageOne(good, operation, () => ({ body: text }));
    faults.push(...found.faults.map((fault) => `${operation}: ${done.join(", ")}: ${fault}`));
  }
  expect(faults).toEqual([]);
}, 300_000);

it("damages the answer to every call of Octokit that the room makes", async () => {
  const read = new Set<string>();
  for (const [name, call] of Object.entries(CALLS))
    for (const operation of (await goodOf(name, call)).asked) read.add(operation);
  const made = operationsCalled(textsOfRoom());
  expect(made.size).toBeGreaterThan(40);
  expect([...made].filter((operation) => !read.has(operation))).toEqual([]);
});
