import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { runFlotilla } from "./run-flotilla.ts";

const GOAL = 1;
const FIRST = 2;
const SECOND = 3;
const AGENT = `acme/app:feat-dev-issue-${FIRST}`;
/** Ends by itself if nothing else ends it. */
const WAITS = "for i in $(seq 600); do sleep 0.2; done";

const SCENARIO = aScenario({
  conversations: [
    saysOn(FIRST, [
      call("bash", { command: WAITS, description: "Wait" }),
      ...after("You are awake again", makes("first.md")),
    ]),
    saysOn(SECOND, [call("report_blocked", { blocker_issue: FIRST, reason: "That comes first." })]),
  ],
});

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ scenario: SCENARIO });
}, 180_000);
afterAll(() => journey.close());

const octocat = () => journey.github.as("octocat");
const said = (issue: number) =>
  journey.github
    .state()
    .comments(issue)
    .map(({ body }) => body.replace(/\s*<!--[^]*$/, ""));
const commented = (issue: number, text: string) =>
  journey.until(`a comment on #${issue} with ${text}`, () =>
    said(issue).findLast((body) => body.includes(text)),
  );
const cli = async (...args: string[]) =>
  runFlotilla(args, { cwd: journey.dataDir, env: { FLOTILLA_DATA_DIR: journey.dataDir } });
const sprint = () => journey.rows("SELECT state FROM sprint")[0]?.["state"];
const api = async (path: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${token()}`, "content-type": "application/json" };
  const answer = await fetch(`${journey.served().url}${path}`, { ...init, headers });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};
const token = () => new URL(journey.dashboard()).hash.replace("#token=", "");

const HELD = 'its sprint "First release" is at CHECKPOINT: @octocat asked for a checkpoint';
const ENDS = `\`/flotilla continue\` on #${GOAL} (the goal's tracking issue) lets it continue`;

it("a goal stops at a checkpoint, says everywhere what holds it and what lifts that, continues, and is aborted", async () => {
  const { number } = await octocat().call("POST", "/milestones", { title: "First release" });
  const open = (title: string) =>
    octocat().call("POST", "/issues", { title, body: "Please.", milestone: number });
  for (const title of ["Ship it", "First part", "Second part"]) await open(title);
  await octocat().label(GOAL, "goal");
  await octocat().label(FIRST, "feature");
  await octocat().label(SECOND, "feature");
  await journey.reached(SECOND, "SLEEPING");
  await journey.until(
    "the first works",
    () => journey.rows("SELECT 1 FROM tool_call WHERE status = 'running'")[0],
  );

  await octocat().comment(GOAL, "/flotilla checkpoint");
  await journey.reached(FIRST, "SLEEPING");
  const report = await commented(GOAL, "is at CHECKPOINT");
  expect(report).toContain(`#${FIRST} First part: CLAIMED`);

  // On the held issue: no thumbs up, but an answer that says what to do.
  await octocat().comment(FIRST, "/flotilla resume");
  expect(await commented(FIRST, "changes nothing")).toBe(
    `\`/flotilla resume\` changes nothing: feat-dev-issue-${FIRST} is held: ${HELD}.\n\nInstead: ${ENDS}.`,
  );
  await octocat().comment(FIRST, "/flotilla why");
  const STANDS = `feat-dev-issue-${FIRST} is SLEEPING: paused, because ${HELD} → ${ENDS}`;
  expect(await commented(FIRST, "Now:")).toContain(STANDS);

  // On the command line.
  expect(await cli("agents", "resume", AGENT)).toMatchObject({
    code: 1,
    stderr: `feat-dev-issue-${FIRST} is held: ${HELD} (held)\n${ENDS}\n`,
  });
  expect((await cli("agents", "show", AGENT)).stdout).toContain(`held               ${HELD} → ${ENDS}`);
  expect((await cli("explain", `acme/app#${FIRST}`)).stdout).toContain(STANDS);
  expect((await cli("goals", "list")).stdout).toMatch(/^acme\/app#1 +CHECKPOINT +0 of 2 /m);

  // In the page's API: the checkpoint waits for a person, and the agent's own entry offers no resume.
  const { body: waiting } = await api("/api/waiting");
  expect(waiting.waiting).toMatchObject([
    { kind: "pause", what: `Paused, because ${HELD}.`, next: `${ENDS}.`, acts: [] },
  ]);
  const resumed = await api(`/api/agents/${encodeURIComponent(AGENT)}/resume`, {
    method: "POST",
    body: JSON.stringify({ id: "page-1" }),
  });
  expect(resumed).toMatchObject({ status: 409, body: { error: { code: "held", hint: ENDS } } });
  const { body: goals } = await api("/api/goals");
  expect(goals.goals).toMatchObject([
    { key: "acme/app#1", state: "CHECKPOINT", takes: ["continue", "abort"] },
  ]);

  // The command that was named lifts it.
  await octocat().comment(GOAL, "/flotilla continue");
  await journey.reached(FIRST, "COMPLETED");
  expect(sprint()).toBe("IN_PROGRESS");

  // The same acts from the command line and from the page.
  expect(await cli("goals", "checkpoint", "acme/app#1", "--reason", "look again")).toMatchObject({
    code: 0,
    stdout: "acme/app#1 is CHECKPOINT.\n",
  });
  expect(await cli("goals", "checkpoint", "acme/app#1")).toMatchObject({ code: 1, stdout: "" });
  expect(await cli("goals", "continue", "acme/app#1")).toMatchObject({ code: 0 });

  // By the files in the data directory, which need no answer of anybody.
  const file = (name: string) => join(journey.dataDir, name);
  writeFileSync(file("CHECKPOINT"), "");
  await journey.until("the sprint stops", () => sprint() === "CHECKPOINT");
  rmSync(file("CHECKPOINT"));
  await journey.until("the sprint continues", () => sprint() === "IN_PROGRESS");
  writeFileSync(file("PAUSE"), "");
  const pauses = () => journey.rows("SELECT holder FROM scope_pause");
  await journey.until("all is paused", () => pauses().length === 1);
  const why = await cli("explain", `acme/app#${SECOND}`);
  expect(why.stdout).toContain("all agents are held by the file PAUSE in the data directory");
  expect(why.stdout).toContain("remove the file PAUSE from the data directory to let them continue");
  expect(await cli("resume", "--all")).not.toMatchObject({ code: 0 });
  rmSync(file("PAUSE"));
  await journey.until("nothing is paused", () => pauses().length === 0);

  const aborted = await api(`/api/goals/${encodeURIComponent("acme/app#1")}/abort`, {
    method: "POST",
    body: JSON.stringify({ id: "page-2", reason: "another way was found" }),
  });
  expect(aborted).toEqual({ status: 200, body: { key: "acme/app#1", state: "ABORTED" } });
  expect(sprint()).toBe("ABORTED");
  await commented(GOAL, "is ABORTED: the operator aborted the goal of #1: another way was found");
  const live = journey.rows(
    "SELECT 1 FROM agent WHERE state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')",
  );
  expect(live).toEqual([]);

  // The file ABORT ends a goal, and holds all agents until it is removed.
  const second = Number((await open("Ship it again"))["number"]);
  await octocat().label(second, "goal");
  const again = () => journey.rows("SELECT state FROM goal WHERE issue = ?", second)[0]?.["state"];
  await journey.until("the second goal is there", () => again() === "IN_PROGRESS");
  writeFileSync(file("ABORT"), "");
  await journey.until("the second goal is aborted", () => again() === "ABORTED");
  expect((await cli("agents", "list")).stdout).toContain(
    "PAUSED: all agents are held by the file ABORT in the data directory",
  );
  rmSync(file("ABORT"));
  await journey.until("nothing is held", () => pauses().length === 0);
  await journey.quiet();
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 400_000);
