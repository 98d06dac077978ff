import { createHmac } from "node:crypto";
import { request } from "node:http";
import { afterAll, afterEach, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { createMemoryInbox } from "./memory-inbox.ts";
import { PREVIOUS, serveRoute, sign } from "./serve-route.ts";

const BODY = JSON.stringify({ action: "opened", repository: { id: 77 }, issue: { number: 9 } });
const RIGHT = sign(BODY);
const HEX = RIGHT.slice("sha256=".length);
const sha1 = (text: string) => `sha1=${createHmac("sha1", "development").update(text).digest("hex")}`;
const signed = (...values: readonly string[]) =>
  values.map((value) => ["X-Hub-Signature-256", value] as const);

/** What somebody without the secret can send, and what is left of a right signature that was tampered with. */
const FORGED: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ["no signature", []],
  ["an empty one", signed("")],
  ["one of another secret", signed(sign(BODY, "another secret of thirty-two bytes"))],
  ["one of the secret that tutorials use", signed(sign(BODY, "development"))],
  ["one of no secret", signed(sign(BODY, ""))],
  ["one of another body", signed(sign(`${BODY} `))],
  ["the right one, cut by a digit", signed(RIGHT.slice(0, -1))],
  ["the right one, cut by a byte", signed(RIGHT.slice(0, -2))],
  ["the right one, a digit longer", signed(`${RIGHT}0`)],
  ["the right one, one digit changed", signed(RIGHT.replace(/.$/, (last) => (last === "0" ? "1" : "0")))],
  ["the right one in upper case", signed(`sha256=${HEX.toUpperCase()}`)],
  ["the right one under an upper-case name", signed(`SHA256=${HEX}`)],
  ["the right one without its name", signed(HEX)],
  ["the right one called SHA-1", signed(`sha1=${HEX}`)],
  ["the right one in base64", signed(`sha256=${Buffer.from(HEX, "hex").toString("base64")}`)],
  ["the right one in quotes", signed(`"${RIGHT}"`)],
  ["the right one, broken by a space", signed(`sha256= ${HEX}`)],
  ["the right one twice", signed(RIGHT, RIGHT)],
  ["a wrong one before the right one", signed(sign("x"), RIGHT)],
  ["the right one before a wrong one", signed(RIGHT, sign("x"))],
  ["both in one header", signed(`${RIGHT}, ${RIGHT}`)],
  ["SHA-1 only", [["X-Hub-Signature", sha1(BODY)]]],
  ["the right one in the header of SHA-1", [["X-Hub-Signature", RIGHT]]],
];

let served: Awaited<ReturnType<typeof serveRoute>> | undefined;
afterEach(() => served?.close());

let refused = 0;
afterAll(() => {
  proved({
    promise: "A forged webhook is refused, and nothing of it is stored",
    test: "test/webhooks/forged.test.ts",
    figure: `${refused} of ${FORGED.length} forgeries refused`,
  });
});

/** As it stands on the wire: a header may come twice. */
async function send(
  port: number,
  headers: readonly (readonly [string, string])[],
): Promise<number | undefined> {
  const given = [
    ["Host", "localhost"],
    ["Content-Type", "application/json"],
    ["X-GitHub-Event", "issues"],
    ["X-GitHub-Delivery", "d-1"],
    ["Content-Length", String(Buffer.byteLength(BODY))],
    ...headers,
  ];
  const sent = request({ port, method: "POST", path: "/api/github/webhooks", headers: given.flat() });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
  });
  sent.end(BODY);
  return answer;
}

it.each(FORGED)("answers 401 to %s and stores nothing", async (_what, headers) => {
  const inbox = createMemoryInbox();
  served = await serveRoute(inbox);
  expect(await send(served.port, headers)).toBe(401);
  expect(inbox.rows.size).toBe(0);
  refused += 1;
});

it.each([
  ["the secret", RIGHT, {}, 202],
  ["the previous secret while there is one", sign(BODY, PREVIOUS), {}, 202],
  ["the previous secret once it is taken away", sign(BODY, PREVIOUS), { previousSecret: undefined }, 401],
])("and %s is answered as it should be", async (_which, signature, options, status) => {
  const inbox = createMemoryInbox();
  served = await serveRoute(inbox, options);
  expect(await send(served.port, signed(signature))).toBe(status);
  expect(inbox.rows.size).toBe(status === 202 ? 1 : 0);
});
