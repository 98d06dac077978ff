import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sendRaw, statusesIn } from "../http/raw-requests.ts";
import { asOperator, type Served, serve, TOKEN } from "./served.ts";

it("makes of the token a cookie that no script reads and no other site sends", async () => {
  const served = await serve();
  const { status, headers } = await served.post("/api/sign-in", { token: TOKEN });
  const cookie = headers.get("set-cookie") ?? "";
  expect(status).toBe(200);
  expect(cookie).toMatch(
    /^flotilla_session=[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  expect(cookie).not.toContain(TOKEN);
  expect(await served.get("/api/overview", { cookie: cookie.split(";")[0] ?? "" })).toMatchObject({
    status: 200,
  });
});

it("gives the cookie to HTTPS alone where the browser came that way", async () => {
  const served = await serve();
  const { headers } = await served.post("/api/sign-in", { token: TOKEN }, { "x-forwarded-proto": "https" });
  expect(headers.get("set-cookie")).toMatch(/; Secure$/);
});

it.each([
  ["another token", { token: "a guess" }, 401],
  ["no token", {}, 400],
  ["something else", [TOKEN], 400],
])("gives no cookie for %s", async (_, body, refused) => {
  const served = await serve();
  const { status, headers } = await served.post("/api/sign-in", body);
  expect(status).toBe(refused);
  expect(headers.get("set-cookie")).toBeNull();
});

it("knows no cookie that was altered, is over, or was signed with another token", async () => {
  const served = await serve();
  const { cookie = "" } = await served.page();
  const [value = "", mac = ""] = cookie.replace("flotilla_session=", "").split(".");
  const later = Buffer.from(value, "base64url")
    .toString()
    .replace(/\d{6,}/, "9999999999999");
  const forged = Buffer.from(later).toString("base64url");
  for (const bad of [`${forged}.${mac}`, `${value}.`, `.${mac}`, "", `${value}.${mac}x`])
    expect((await served.get("/api/overview", { cookie: `flotilla_session=${bad}` })).status).toBe(401);
  expect((await served.get("/api/overview", { cookie })).status).toBe(200);
  served.clock.advance(12 * 3_600_000);
  expect((await served.get("/api/overview", { cookie })).status).toBe(401);
});

it("does not fall back to the cookie where a wrong token is sent", async () => {
  const served = await serve();
  const { cookie = "" } = await served.page();
  expect((await served.get("/api/overview", { cookie, authorization: "Bearer guess" })).status).toBe(401);
});

it("ends the session where one signs out, on the server too and for this one alone", async () => {
  const served = await serve();
  const [mine, other] = [await served.page(), await anotherPage(served)];
  const { headers } = await served.post("/api/sign-out", {}, mine);
  expect(headers.get("set-cookie")).toMatch(/^flotilla_session=; .*Max-Age=0$/);
  // A copy of the cookie is worth nothing any more.
  expect((await served.get("/api/overview", mine)).status).toBe(401);
  expect((await served.post("/api/pause", { id: "1", scope: "all" }, mine)).status).toBe(401);
  expect((await served.get("/api/overview", other)).status).toBe(200);
});

it("remembers an ended session until it would have ended by itself, and no longer", async () => {
  const served = await serve();
  const [first, second] = [await served.page(), await anotherPage(served)];
  const isKept = ({ cookie = "" }: Record<string, string>) =>
    served.store.signOuts.has(
      createHash("sha256")
        .update(cookie.split(".")[1] ?? "")
        .digest("base64url"),
    );
  await served.post("/api/sign-out", {}, first);
  await served.post("/api/sign-out", {}, first);
  expect([await isKept(first), await isKept(second)]).toEqual([true, false]);
  served.clock.advance(12 * 3_600_000 - 1000);
  await served.post("/api/sign-out", {}, second);
  expect([await isKept(first), await isKept(second)]).toEqual([false, true]);
});

/** A session that began a second later, which is another one. */
function anotherPage(served: Served): ReturnType<Served["page"]> {
  served.clock.advance(1000);
  return served.page();
}

it("acts for its own page alone", async () => {
  const served = await serve();
  const page = await served.page();
  const { "x-flotilla-page": word = "", ...bare } = page;
  const ask = (headers: Record<string, string>) =>
    served.post("/api/pause", { id: "1", scope: "all" }, headers);
  expect((await ask({})).status).toBe(401);
  for (const [why, headers] of [
    ["lacks the page's own token", bare],
    ["lacks the page's own token", { ...bare, "x-flotilla-page": `${word}x` }],
    ["evil.test", { ...page, origin: "https://evil.test" }],
    ["of null", { ...page, origin: "null" }],
    ["cross-site", { ...page, "sec-fetch-site": "cross-site" }],
    ["same-site", { ...page, "sec-fetch-site": "same-site" }],
    ["not JSON", { ...page, "content-type": "text/plain" }],
  ] as const) {
    const refused = await ask(headers);
    expect({ status: refused.status, why: JSON.stringify(refused.body) }).toEqual({
      status: 403,
      why: expect.stringContaining(why),
    });
  }
  expect(served.acts).toEqual([]);
  expect((await ask({ ...page, "sec-fetch-site": "same-origin" })).status).toBe(200);
  expect((await ask(asOperator)).status).toBe(200);
  expect(served.acts).toHaveLength(2);
});

it("takes no sign-in from a page of another site", async () => {
  const served = await serve();
  const { status } = await served.post("/api/sign-in", { token: TOKEN }, { origin: "https://evil.test" });
  expect(status).toBe(403);
});

it.each([
  ["POST /api/sign-in", (served: Served, token: string) => served.post("/api/sign-in", { token })],
  [
    "a bearer",
    (served: Served, token: string) => served.get("/api/me", { authorization: `Bearer ${token}` }),
  ],
])(
  "answers 429 to a thousand wrong tokens by %s, logs it once a minute, and takes the right one",
  async (_, sign) => {
    const served = await serve();
    const count = new Map<number, number>();
    const waits = new Set<string | null>();
    for (let round = 0; round < 1000; round += 1) {
      const { status, headers } = await sign(served, `guess ${round}`);
      count.set(status, (count.get(status) ?? 0) + 1);
      waits.add(headers.get("retry-after"));
    }
    expect([...count]).toEqual([
      [401, 10],
      [429, 990],
    ]);
    expect(waits).toEqual(new Set([null, "60"]));
    const warned = () => served.logged.filter(({ level }) => level === "warn").length;
    expect(warned()).toBe(1);
    // A stranger's guesses lock nobody out, and a missing token is no guess.
    expect((await sign(served, TOKEN)).status).toBe(200);
    expect((await served.get("/api/me")).status).toBe(401);
    served.clock.advance(60_000);
    expect((await sign(served, "one more")).status).toBe(401);
    expect(warned()).toBe(1);
  },
);

it.each([
  "evil.test",
  "evil.test:3000",
  "127.0.0.1.evil.test",
  "localhost.evil.test",
  "1.2.3",
  "a@localhost",
  "[::1",
  "é",
])("answers 421 under the foreign host %j, with what to configure", async (host) => {
  const served = await serve();
  const { port } = new URL(served.url);
  const body = JSON.stringify({ token: TOKEN });
  const head = `Host: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const answer = await sendRaw(
    { port: Number(port), host: "127.0.0.1" },
    `POST /api/sign-in HTTP/1.1\r\n${head}\r\n\r\n${body}`,
  );
  expect(statusesIn(answer)).toEqual([421]);
  expect(answer).toContain("FLOTILLA_HOSTS");
});
