import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { until } from "./until.ts";
import { withoutDelimiters } from "./without-delimiters.ts";

const run = promisify(execFile);

const BLOCKER = 1;
const UNSAVED = 2;
const UNHEARD = 3;
const BRIEFED = 4;
const AT_WORK = 5;
const SUSPENDED = 6;
const RENAMED = 7;
const ASKING = 8;
const OTHER_BLOCKER = 9;

const waitsFor = (issue: number) =>
  call("report_blocked", { blocker_issue: issue, reason: "That comes first." });
const waits = waitsFor(BLOCKER);
const writes = (file: string) =>
  call("bash", { command: `printf 'kept\\n' > ${file}`, description: `Write ${file}` });

const SCENARIO = aScenario({
  config: {
    // Each reconcile costs requests, of which 900 a minute are allowed. With eight agents, and each request to a
    // renamed repository counted twice, a shorter interval would use up GitHub's points per minute.
    reconcile_every: "10s",
    questions: { deadline: "6s" },
    escalation: { notify: ["octocat", "mona"] },
  },
  conversations: [
    saysOn(UNSAVED, [writes("unsaved.md"), waits]),
    saysOn(UNHEARD, [waits]),
    saysOn(BRIEFED, [
      ...makes("README.md").slice(0, 3),
      waits,
      ...after("You are awake again", [call("report_complete", { summary: "Done." })]),
    ]),
    saysOn(AT_WORK, [{ delayMs: 1500, ...writes("slow.md") }, ...makes("slow.md").slice(1)]),
    saysOn(RENAMED, [waitsFor(OTHER_BLOCKER), ...after("You are awake again", makes("renamed.md"))]),
    saysOn(ASKING, [
      call("ask_human", {
        question: "Which colour?",
        options: ["Red", "Blue"],
        default: "Blue",
        who: "octocat",
      }),
      ...after("You are awake again", makes("blue.md")),
    ]),
    saysOn(SUSPENDED, [waitsFor(UNSAVED), ...after("You are awake again", makes("late.md"))]),
  ],
});

describe("work that is archived, events that were missed, and news for agents", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
    for (let number = BLOCKER; number <= OTHER_BLOCKER; number += 1)
      await octocat().openIssue({ title: `Issue ${number}`, body: "Please." });
    const asleep = [UNSAVED, UNHEARD, BRIEFED, SUSPENDED, RENAMED];
    for (const issue of asleep) await octocat().label(issue, "feature");
    for (const issue of asleep) await journey.reached(issue, "SLEEPING");
    // It waits for its answer during the other tests.
    await octocat().label(ASKING, "feature");
  }, 180_000);
  afterAll(() => journey.close());

  const octocat = () => journey.github.as("octocat");
  const agentOf = (issue: number) => journey.rows("SELECT * FROM agent WHERE issue = ?", issue).at(-1);
  const statusOf = (issue: number) =>
    journey.github
      .state()
      .comments(issue)
      .map(({ body }) => body)
      .find((body) => body.startsWith("### Flotilla"));
  const heard = (text: string) =>
    until(`the model reads ${text}`, () =>
      journey.model.requests
        .flatMap(({ messages }) => messages)
        .find(({ content }) => content.includes(text)),
    );

  it("archives unsaved work of a cancelled agent; the command in the status comment restores it", async () => {
    await octocat().comment(UNSAVED, "/flotilla cancel");
    const line = await until("the line", () => /^git fetch .*$/m.exec(statusOf(UNSAVED) ?? "")?.[0]);
    expect(agentOf(UNSAVED)).toMatchObject({ state: "CANCELLED", worktree_path: null });
    const clone = mkdtempSync(join(tmpdir(), "flotilla-clone-"));
    try {
      const server = `${journey.github.origin}/acme/app.git`;
      const token = journey.github.person("octocat", { permission: "write" });
      const from = server.replace("://", `://octocat:${token}@`);
      await run("git", ["clone", "--quiet", from, clone]);
      const env = { ...process.env, FLOTILLA_DATA_DIR: journey.dataDir };
      await run("sh", ["-c", line], { cwd: clone, env });
      expect(readFileSync(join(clone, "unsaved.md"), "utf8")).toBe("kept\n");
    } finally {
      rmSync(clone, { recursive: true });
    }
  }, 180_000);

  it("finds an issue that was closed without a webhook", async () => {
    const { webhooks } = journey.github;
    webhooks.filter = ({ event, action }) => (event === "issues" && action === "closed" ? "drop" : "send");
    await octocat().close(UNHEARD);
    await journey.reached(UNHEARD, "CANCELLED");
    webhooks.filter = () => "send";
    const told = journey.rows("SELECT guid FROM delivery WHERE guid LIKE 'seen-%'");
    expect(told.length).toBeGreaterThan(0);
  }, 180_000);

  it("passes a message to a working agent with its next tool answer", async () => {
    await octocat().label(AT_WORK, "feature");
    await heard(`Work on issue #${AT_WORK} of`);
    await octocat().comment(AT_WORK, `@${journey.github.app.slug} call it slow`);
    const { role } = await heard("call it slow");
    expect(role).toBe("tool");
    await journey.reached(AT_WORK, "COMPLETED");
    const last = journey.model.requests.findLast(({ messages }) =>
      messages.some(({ content }) => content.includes("call it slow")),
    );
    expect(last?.messages.filter(({ content }) => content.includes("call it slow"))).toHaveLength(1);
  }, 180_000);

  it("passes what is new to a woken agent", async () => {
    await octocat().comment(BRIEFED, "Use tabs.");
    await octocat().push("main", { "README.md": "# theirs\n" }, "Say otherwise");
    await octocat().close(BLOCKER);
    const content = withoutDelimiters((await heard("The issue that blocked you is resolved")).content);
    expect(content).toContain("> Use tabs.");
    expect(content).toContain("it has 1 commit that your branch lacks");
    expect(content).toContain("conflicts in: README.md.");
    await journey.reached(BRIEFED, "COMPLETED");
  }, 180_000);

  it("asks one person, reminds them, asks a second one, and then continues with the default", async () => {
    await journey.reached(ASKING, "COMPLETED");
    const said = journey.github
      .state()
      .comments(ASKING)
      .map(({ body }) => body);
    const naming = (login: string) =>
      said.findIndex((body) => body.includes(`@${login}`) && body.includes("colour"));
    expect(said.filter((body) => body.includes("@octocat") && body.includes("colour"))).toHaveLength(2);
    expect(naming("mona")).toBeGreaterThan(naming("octocat"));
    expect(await heard("Decided by time-out, not by a person")).toBeDefined();
    expect(journey.rows("SELECT state, answered_by FROM question")).toEqual([
      { state: "TIMED_OUT", answered_by: null },
    ]);
  }, 180_000);

  it("follows a renamed repository, and holds its agents while it is archived", async () => {
    journey.github.person("hubot", { permission: "admin" });
    const owner = () => journey.github.as("hubot");
    const holders = () => journey.rows("SELECT holder FROM scope_pause").map(({ holder }) => holder);
    await owner().call("PATCH", "", { name: "shop" });
    await owner().call("PATCH", "", { archived: true });
    await until("it is held", () => holders().includes("archived"));
    await owner().call("PATCH", "", { archived: false });
    await until("it is held no more", () => holders().length === 0);
    await octocat().close(OTHER_BLOCKER);
    await journey.reached(RENAMED, "COMPLETED");
    expect(journey.rows("SELECT name FROM repository")).toEqual([{ name: "shop" }]);
    const pull = Number(agentOf(RENAMED)?.["pr_number"]);
    expect(
      journey.github
        .state("acme/shop")
        .pulls()
        .map(({ number }) => number),
    ).toContain(pull);
  }, 100_000);

  it("holds all agents while the installation is suspended, and ends them with a reason when access is removed", async () => {
    const rule = (name: string) =>
      until(name, () => journey.rows("SELECT 1 FROM decision WHERE rule = ?", name).length > 0);
    journey.github.installationEvent("suspend", "octocat");
    await rule("suspended");
    await octocat().close(UNSAVED);
    await journey.github.webhooks.idle();
    expect(agentOf(SUSPENDED)).toMatchObject({ state: "SLEEPING" });
    journey.github.installationEvent("unsuspend", "octocat");
    await journey.reached(SUSPENDED, "COMPLETED");
    journey.github.setInstalled("acme/shop", false, "octocat");
    await rule("coverage_changed");
    const live = journey.rows(
      "SELECT 1 FROM agent WHERE state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')",
    );
    expect(live).toEqual([]);
  }, 100_000);

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
