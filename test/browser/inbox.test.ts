import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dashboardParts } from "../../src/server/dashboard-parts.ts";
import { asked, questionOf } from "../engine/asking.ts";
import { killOnce } from "../engine/kill-once.ts";
import { limitsOf } from "../engine/limits-of.ts";
import { agentOf, stateOf, taskOf, toldTo } from "../engine/look.ts";
import { approvedWork } from "../engine/merge-queue-rig.ts";
import { issueOf, labeled, tell } from "../engine/people.ts";
import { aRig, REPOSITORY, type Rig } from "../engine/rig.ts";
import {
  after,
  blocked,
  call,
  commit,
  complete,
  edit,
  on,
  openPr,
  type Step,
  work,
} from "../engine/scripts.ts";
import { silentAtFirst } from "../engine/stuck-work.ts";
import { act } from "../engine/under-operation.ts";
import { someSettings } from "../factories/some-settings.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

const unused = () => Promise.reject(new Error("nobody asks this here"));
const curl = call("bash", { command: "curl https://example.com/" });

/** The dashboard over a whole engine. `follows`: what comes of an act happens before it is answered. */
async function stageOver(rig: Rig, follows: boolean): Promise<Stage> {
  const { settings, runningCommands } = rig.context;
  const { store, engine, github, worktrees } = rig;
  const context = { store, operations: engine.operations, poke: () => {}, onboard: unused, sweep: unused };
  const site = "https://github.test";
  const parts = dashboardParts({
    settings,
    runningCommands,
    site,
    github,
    worktrees,
    store,
    setup: { missingLabels: async () => [] },
    control: () => context,
    clock: rig.clock,
    inForce: [],
  });
  const done: typeof parts.act = async (path, body) => {
    const answer = await parts.act(path, body);
    if (follows) await rig.idle();
    return answer;
  };
  return openStage({ ...parts, act: done }, null, store);
}

async function asking(...next: readonly Step[]): Promise<Rig> {
  const runtime = { ...someSettings().runtime, permissionMode: "ask" as const };
  const rig = await aRig({ settings: { runtime }, script: [on(1, curl, ...next)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** The call that the agent of issue 1 asks about. */
async function callOf(rig: Rig) {
  const { id, token } = await agentOf(rig);
  const [row] = await rig.store.approvals.asked(id, token);
  if (row === undefined) throw new Error("nothing is asked");
  return { row: () => rig.store.approvals.get(row.id) };
}

const item = (page: Page, kind: string) => page.locator(".waiting li").filter({ hasText: kind });
const outcome = (page: Page) => page.locator(".outcome [role=status]");
/** What has the focus: its text, without what only screen readers say. */
const focused = (page: Page) => page.evaluate<string>("document.activeElement.innerText.trim()");

describeInBrowser("the inbox", () => {
  let browser: Browser;
  const stages: Stage[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    for (const stage of stages) await stage.close();
  });

  /** `follows`: what comes of an act happens at once. */
  async function open(rig: Rig, { width = 1280, follows = true } = {}) {
    const stage = await stageOver(rig, follows);
    stages.push(stage);
    const watched = await watch(browser, stage.url, "/", { width, height: 900 });
    await watched.page.locator(".figures").waitFor();
    return { stage, ...watched };
  }

  it("answers a question by an option; the list says that nothing is left and keeps the focus", async () => {
    const rig = await asked();
    const { page, context, faults } = await open(rig);
    expect(await violations(page)).toEqual([]);
    await item(page, "Question").getByRole("button", { name: "GPL 3" }).click();
    await expect.poll(() => outcome(page).textContent()).toContain("Answered feat-dev on #1: GPL 3");
    await page.getByText("Really").waitFor({ state: "detached" });
    expect(await questionOf(rig)).toMatchObject({ answer: "GPL 3", answeredBy: "operator:dashboard" });
    await expect.poll(() => item(page, "Question").count()).toBe(0);
    await expect.poll(() => focused(page)).toMatch(/^(?:Nothing is waiting|Review)/);
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("answers in own words by the keyboard alone, and asks before what cannot be undone", async () => {
    const rig = await asked();
    const { page, context, faults } = await open(rig, { width: 390 });
    const question = item(page, "Question");
    await question.getByRole("button", { name: "None at all" }).click();
    await question.getByRole("button", { name: "Really None at all?" }).waitFor();
    expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
    await question.getByRole("button", { name: "Another answer" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Neither, BSD please.");
    expect(await sideways(page)).toBe(0);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await questionOf(rig)).answer).toBe("Neither, BSD please.");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("approves with a note, and takes that back before the call is made", async () => {
    const rig = await asking(after("takes back", edit()), ...work.slice(1));
    const { row } = await callOf(rig);
    // The agent gets its answers only afterwards.
    const { page, context, faults } = await open(rig, { follows: false });
    const approval = item(page, "Approval");
    await approval.getByRole("button", { name: "Add a note" }).click();
    await page.keyboard.type("Only this host.");
    await approval.getByRole("button", { name: "Approve" }).click();
    await expect.poll(() => outcome(page).textContent()).toContain("Approved: feat-dev on #1.");
    expect(await row()).toMatchObject({ state: "granted", decidedBy: "operator:dashboard" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => outcome(page).textContent()).toContain("Taken back");
    expect(await row()).toMatchObject({ state: "denied", reason: "the permission was taken back" });
    await rig.idle();
    expect(toldTo(rig).join()).toContain("They add:\n\nOnly this host.");
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("resumes what a person paused, and pauses it again by Undo", async () => {
    const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
    await tell(rig, labeled(rig, 1));
    await rig.engine.operations.pause(act);
    const { page, context, faults } = await open(rig);
    await item(page, "Paused").getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => outcome(page).textContent()).toContain("Resumed: feat-dev on #1.");
    expect(await agentOf(rig)).toMatchObject({ heldBy: [] });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => outcome(page).textContent()).toContain("Paused: feat-dev on #1.");
    expect(await agentOf(rig)).toMatchObject({ heldBy: ["person"] });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("denies only when asked twice, with a reason that the agent reads", async () => {
    const rig = await asking(after("Why: No network", edit()), ...work.slice(1));
    const { page, context, faults } = await open(rig);
    const approval = item(page, "Approval");
    const { row } = await callOf(rig);
    await approval.getByRole("button", { name: "Deny" }).focus();
    await page.keyboard.press("Enter");
    await approval.locator("textarea:focus").waitFor();
    await page.keyboard.type("No network.");
    await page.keyboard.press("Escape");
    expect(await approval.getByRole("button", { name: "Really deny?" }).count()).toBe(0);
    await approval.getByRole("button", { name: "Deny" }).click();
    await approval.getByRole("button", { name: "Really deny?" }).click();
    await expect.poll(async () => (await row())?.reason).toBe("No network.");
    await expect.poll(() => outcome(page).textContent()).toContain("Denied: feat-dev on #1.");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("continues by a number, and says in plain words why one is refused", async () => {
    const script = [
      on(1, edit(), commit, openPr, after("You are awake again", edit("b.ts")), ...work.slice(1)),
    ];
    const rig = await aRig({ settings: limitsOf({ maxTurns: 3 }), script });
    await tell(rig, labeled(rig, 1));
    const { page, context } = await open(rig);
    const limit = item(page, "Turn limit reached");
    await limit.getByLabel("More turns").fill("500");
    await limit.getByRole("button", { name: "Continue" }).click();
    await limit
      .getByText("500 turns at once are more than circuit_breakers.turn_ceiling, which is 200.")
      .waitFor();
    expect(await limit.getByLabel("More turns").inputValue()).toBe("500");
    await limit.getByLabel("More turns").fill("9");
    await limit.getByRole("button", { name: "Continue" }).click();
    await expect.poll(async () => (await agentOf(rig)).extraTurns).toBe(9);
    await context.close();
  });

  it("retries at once with a note", async () => {
    const rig = await aRig({ script: [on(1, ...silentAtFirst)] });
    await rig.engine.handle(labeled(rig, 1));
    await killOnce(rig);
    const { page, context, faults } = await open(rig);
    const error = item(page, "Retrying");
    await error.getByRole("button", { name: "Add a note" }).click();
    await page.keyboard.type("Mind the lock file.");
    await error.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => toldTo(rig).join()).toContain("The operator says:\n\nMind the lock file.");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("starts work on an issue that it opens", async () => {
    const rig = await aRig({ issues: 3, script: [on(4, edit(), commit, openPr, complete)] });
    await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
    const { page, context, faults } = await open(rig, { width: 390 });
    await page.getByText("Start work", { exact: true }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Enter the number of an issue.").waitFor();
    await page.getByLabel("A new issue").check();
    await page.getByLabel("Title").fill("Sort the list");
    expect(await violations(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await page.getByLabel("Role").selectOption("feat-dev");
    await page.getByRole("button", { name: "Open the issue and start" }).dblclick();
    await expect
      .poll(() => outcome(page).textContent())
      .toContain("Started on acme/shop#4: feat-dev-issue-4");
    expect(issueOf(rig, 4)).toMatchObject({ title: "Sort the list" });
    expect(rig.repository.issues.has(6)).toBe(false);
    expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("merges approved work, when asked twice", async () => {
    const rig = await approvedWork({ settings: { level: "merge" } });
    const { page, context, faults } = await open(rig);
    await item(page, "Merge").getByRole("button", { name: "Merge #4" }).click();
    expect((await taskOf(rig))?.state).toBe("APPROVED");
    await item(page, "Merge").getByRole("button", { name: "Really merge #4?" }).click();
    await expect.poll(async () => (await taskOf(rig))?.state).toBe("MERGED");
    await expect.poll(() => outcome(page).textContent()).toContain("Merged: #4.");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("writes to an agent that sleeps, on its page", async () => {
    const rig = await aRig({ script: [on(1, blocked(2), after("Message from", edit()), ...work.slice(1))] });
    await tell(rig, labeled(rig, 1));
    const stage = await stageOver(rig, true);
    stages.push(stage);
    const path = "/agents/acme%2Fshop%3Afeat-dev-issue-1";
    const { page, context, faults } = await watch(browser, stage.url, path);
    await page.getByText("Write to the agent").click();
    await page.getByLabel("Message to feat-dev on #1").fill("Do not wait.");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Send" }).click();
    await expect
      .poll(() => outcome(page).textContent())
      .toContain("Sent to feat-dev on #1: it reads it when it wakes.");
    expect(toldTo(rig).join()).toContain("The operator says:\n\nDo not wait.");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("keeps what was typed while Flotilla is away, and sends it once it is back", async () => {
    const rig = await asked();
    const { stage, page, context } = await open(rig);
    const question = item(page, "Question");
    await question.getByRole("button", { name: "Another answer" }).click();
    await question.getByLabel("Your answer").fill("BSD, please.");
    await stage.down();
    await question.getByRole("button", { name: /^Answer/ }).click();
    await question.getByText("Not connected: Flotilla does not answer.").waitFor();
    expect(await question.getByLabel("Your answer").inputValue()).toBe("BSD, please.");
    await stage.up();
    await question.getByRole("button", { name: /^Answer/ }).dblclick();
    await expect.poll(async () => (await questionOf(rig)).answer).toBe("BSD, please.");
    await context.close();
  });
});
