import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const SECRET = "our very own secret";

/** What a process writes that logs once; the log writes to standard error itself. */
function logged(code: string): Record<string, unknown> {
  const script = `
    import { createLog } from "./src/observability/log/log.ts";
    import { withFields } from "./src/observability/log/log-fields.ts";
    const log = createLog("debug", (text) => text.replaceAll(${JSON.stringify(SECRET)}, "[redacted]"));
    const secret = ${JSON.stringify(SECRET)};
    ${code}`;
  const ran = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  const line: unknown = JSON.parse(ran.stderr);
  if (typeof line !== "object" || line === null || ran.stderr.includes(SECRET)) throw new Error(ran.stderr);
  return { ...line };
}

it("writes no secret: not in a message, a field, an error's text, its stack, or what caused it", () => {
  const line = logged(`
    const cause = new Error("because of " + secret);
    const inside = { list: ["x " + secret], loop: null, n: 1 };
    inside.loop = inside;
    log.error({ error: new TypeError("met " + secret, { cause }), inside }, "it was " + secret);
  `);
  expect(line).toMatchObject({
    level: "error",
    msg: "it was [redacted]",
    error: { type: "TypeError", message: "met [redacted]", cause: { message: "because of [redacted]" } },
    inside: { list: ["x [redacted]"], n: 1 },
  });
  expect(JSON.stringify(line)).toContain("TypeError: met [redacted]\\n    at ");
});

it.each(["debug", "info", "warn"])("writes no secret at the level %s", (level) => {
  expect(logged(`log.${level}({ a: secret }, "b " + secret)`)).toMatchObject({
    level,
    a: "[redacted]",
    msg: "b [redacted]",
  });
});

it("says in each line what was being done when it was logged, however deep", () => {
  const line = logged(`
    await withFields({ effect: "e-1", issue: 7, agent: "feat-dev-issue-7" }, () =>
      withFields({ run: 3, trace: "t-1", span: "s-1" }, async () => {
        await new Promise((done) => setImmediate(done));
        log.info({ issue: 8 }, "deep");
      }),
    );
  `);
  expect(line).toMatchObject({
    effect: "e-1",
    trace: "t-1",
    span: "s-1",
    agent: "feat-dev-issue-7",
    run: 3,
    issue: 8,
    msg: "deep",
  });
});

it("names in an act nothing of the work in which it happened to be taken up", () => {
  const line = logged(`
    await withFields({ delivery: "d-1", trace: "t-1" }, () =>
      withFields({ effect: "e-1" }, async () => log.info({}, "deep")),
    );
  `);
  expect(line).toMatchObject({ effect: "e-1" });
  expect(line).not.toHaveProperty("delivery");
  expect(line).not.toHaveProperty("trace");
});

it("says nothing of work that is over", () => {
  const line = logged(`await withFields({ delivery: "d-1" }, async () => {}); log.info({}, "after");`);
  expect(line).not.toHaveProperty("delivery");
});

it("writes one line that a terminal only shows, and a program reads what it was", () => {
  const hostile = "pwned\u001b]0;title\u0007\u009b31m\u202e\u2066\u2028\u2029\u0085\r\nnext";
  const script = `
    import { createLog } from "./src/observability/log/log.ts";
    const text = ${JSON.stringify(hostile)};
    createLog("info", (one) => one).info({ text, [text]: new Error(text) }, text);`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(stderr)).toMatchObject({ msg: hostile, text: hostile, [hostile]: { message: hostile } });
});

it("writes text for people, of which nothing that others write can begin another line or steer a terminal", () => {
  const hostile = "pwned\u001b]0;title\u0007\n12:00:00Z  acme/app#9  it is done\u2028";
  const script = `
    import { createLog } from "./src/observability/log/log.ts";
    const why = ${JSON.stringify(`${SECRET} ${hostile}`)};
    const log = createLog("info", (text) => text.replaceAll(${JSON.stringify(SECRET)}, "[redacted]"), "text");
    log.info({ where: "acme/app#1", agent: "a-issue-1", what: "is done", why }, "moved");`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(
    /^\d\d:\d\d:\d\dZ {2}acme\/app#1 {2}a-issue-1 is done: \[redacted\] pwned[\x20-\x7e]+\n$/,
  );
});

it("shortens a text of any length, once its secrets are gone", () => {
  const line = logged(`
    const long = "x".repeat(10_000 - 5) + secret + "y".repeat(100_000);
    log.error({ long, error: new Error(long) }, "met");
  `);
  expect(line["long"]).toBe(`${"x".repeat(9_995)}[reda… 100005 characters more`);
  expect(JSON.stringify(line).length).toBeLessThan(35_000);
});
