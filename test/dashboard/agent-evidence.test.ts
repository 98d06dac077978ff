import { expect, it } from "vitest";
import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { seedDay } from "../browser/seed.ts";
import { COMMIT } from "../browser/seed-screens.ts";
import { anAgent } from "../factories/records.ts";
import { asOperator, type Served, serve } from "./served.ts";

const AGENT = "/api/agents/acme%2Fshop%3Afeat-dev-issue-41";
async function aDay(): Promise<{ readonly served: Served; readonly working: AgentRecord }> {
  const served = await serve();
  const { working } = await seedDay(served.store, served.clock.now() + 36_000_000);
  return { served, working };
}

async function body(served: Served, path: string): Promise<unknown> {
  const { status, body: found } = await served.get(path, asOperator);
  expect(status).toBe(200);
  return found;
}

it("answers what Flotilla ran, what a claim lacked, the checks of the commit and the reviews, the latest first", async () => {
  const { served } = await aDay();
  expect(await body(served, `${AGENT}/evidence`)).toMatchObject({
    commit: COMMIT,
    evidence: [
      { kind: "command", command: "npm test -- export", exit_code: 0, holds: true, duration_ms: 5300 },
      { kind: "missing", missing: "`npm test -- export` fails on a clean checkout (exit code 1)" },
      { kind: "command", exit_code: 1, holds: false, output: "1 test failed", missing: null },
      { kind: "setup", claim: null, command: "npm ci", exit_code: null, holds: true },
    ],
    checks: [
      { name: "lint", state: "red", log: "a.ts:3", excused: true },
      { name: "build", state: "green" },
    ],
    verdicts: [
      { reviewer: "mona", person: true, approves: false, current: true, body: "A test is missing." },
    ],
    screens: [
      {
        page: "export",
        size: "1280x800",
        commit: COMMIT,
        changed: 0.08,
        summary: "8.0 % of its pixels changed",
        pictures: ["before", "after", "difference"],
      },
      { page: "export", size: "390x844" },
      { page: "start", changed: 0, pictures: ["before", "after"] },
      { page: "help", before_fault: expect.stringContaining("REFUSED"), pictures: ["after"] },
    ],
  });
  expect(await body(served, `${AGENT.replace("41", "39")}/evidence`)).toEqual({
    commit: null,
    evidence: [],
    checks: [],
    verdicts: [],
    screens: [],
  });
});

it("answers a picture of the app as a picture and nothing else, and none of another agent", async () => {
  const { served, working } = await aDay();
  const [first] = await served.store.screens.ofAgent(working.id);
  const of = (which: string, agent = AGENT, id: number | string = first?.id ?? 0) =>
    fetch(`${served.url}${agent}/screens/${id}/${which}`, { headers: asOperator });
  const found = await of("difference");
  expect([
    found.status,
    found.headers.get("content-type"),
    found.headers.get("x-content-type-options"),
  ]).toEqual([200, "image/webp", "nosniff"]);
  expect(found.headers.get("content-security-policy")).toContain("sandbox");
  expect([...new Uint8Array(await found.arrayBuffer())].slice(8, 12)).toEqual([...Buffer.from("WEBP")]);
  const refused = [
    await of("digest"),
    await of("before", AGENT.replace("41", "39")),
    await of("before", AGENT, "1 OR 1"),
    await of("before", AGENT, 999_999),
    await fetch(`${served.url}${AGENT}/screens/${first?.id}/before`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 401]);
  expect(refused.map(({ headers }) => headers.get("content-type"))).toEqual(
    refused.map(() => "application/json; charset=utf-8"),
  );
});

it("answers of a reviewer only its own verdicts, and of nobody more than a hundred results", async () => {
  const { served, working } = await aDay();
  const { store } = served;
  const reviewer = await store.records.insert("agent", {
    ...anAgent({
      state: "COMPLETED",
      role: "reviewer",
      coder: false,
      issue: 41,
      name: "reviewer-issue-41-1",
    }),
    sessionId: null,
  });
  const [task] = await store.records.find("task", { issue: 41 });
  const verdict = { taskId: task?.id ?? 0, account: null, commit: COMMIT, approves: true, body: "Good." };
  const rest = { comments: [], evidence: [], createdAt: 7 };
  await store.verdicts.add({ ...verdict, ...rest, agentId: working.id, reviewer: "other" });
  await store.verdicts.add({ ...verdict, ...rest, agentId: reviewer.id, reviewer: "reviewer" });
  expect(
    await body(served, AGENT.replace("feat-dev-issue-41", "reviewer-issue-41-1") + "/evidence"),
  ).toMatchObject({
    commit: COMMIT,
    verdicts: [{ reviewer: "reviewer", person: false }],
  });
  const [one] = await store.evidence.ofAgent(working.id);
  if (one === undefined) throw new Error("no evidence of #41");
  const { id: _, ...row } = one;
  for (let at = 0; at < 101; at += 1) await store.evidence.add({ ...row, command: `step ${at}` });
  const { evidence }: { evidence: { command: string }[] } = JSON.parse(
    JSON.stringify(await body(served, `${AGENT}/evidence`)),
  );
  expect([evidence.length, evidence[0]?.command, evidence.at(-1)?.command]).toEqual([
    100,
    "step 100",
    "step 1",
  ]);
});

it("answers the commands and the text with which a person continues, with what the model said last", async () => {
  const { served } = await aDay();
  const found: { handoff: { commands: string[]; text: string } } = JSON.parse(
    JSON.stringify(await body(served, `${AGENT}/handoff`)),
  );
  expect(found.handoff.commands.at(-1)).toBe("git switch flotilla/feat-dev/issue-41");
  expect(found.handoff.text).toContain("> The export builds the whole file in memory.");
  expect(found.handoff.text).toContain("- `npm test -- export`: exit code 0");
  expect(found.handoff.text).not.toContain("exit code 1");
  expect(found.handoff.text).toContain("- mona asked for changes:\n\n> A test is missing.");
});

it("names the other agents of the issue in the view, and how each stands", async () => {
  const { served, working } = await aDay();
  const reviewer = anAgent({
    state: "ACTIVE",
    role: "reviewer",
    coder: false,
    issue: 41,
    name: "reviewer-41",
  });
  await served.store.records.insert("agent", { ...reviewer, sessionId: null });
  expect(working.issue).toBe(41);
  expect(await body(served, `${AGENT}/view`)).toMatchObject({
    agent: { headline: "Working" },
    others: [{ key: "acme/shop:reviewer-41", role: "reviewer", headline: "Working" }],
  });
});

it.each(["evidence", "handoff", "view", "diff"])(
  "answers 404 for the %s of an agent that is not there",
  async (more) => {
    const { served } = await aDay();
    const { status, body: found } = await served.get(`${AGENT.replace("41", "99")}/${more}`, asOperator);
    expect({ status, found }).toMatchObject({ status: 404, found: { error: "not_found" } });
  },
);
