import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { blankRun, RUN_STATES, type RunRecord } from "../../src/domain/agents/run.ts";
import { DEADLOCK } from "../../src/domain/tasks/escalation.ts";
import { newTaskRecord, type TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { anAgent } from "../factories/records.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, watch } from "./views.ts";

const NOW = Date.now();

describeInBrowser("work that waits for people, on the page", () => {
  let browser: Browser;
  let stage: Stage;
  const acts: string[] = [];
  const bodies: object[] = [];

  beforeAll(async () => {
    stage = await openStage({
      act: async (path, body) => {
        acts.push(path);
        bodies.push(body);
        return { status: 200, body: {} };
      },
      diff: async () => ({ files: [], patch: "", cut: false }),
    });
    await seed();
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  async function seed(): Promise<void> {
    const { store } = stage;
    const repository = { id: 7, owner: "acme", name: "shop", installationId: 1, private: true };
    await store.repositories.put({ ...repository, defaultBranch: "main" });
    const add = async (
      issue: number,
      phase: RunRecord["state"],
      fields: Partial<AgentRecord>,
      state: TaskRecord["state"] = "CLAIMED",
      work: Partial<TaskRecord> = {},
    ) => {
      const at = fields.state ?? "SLEEPING";
      const agent = await store.records.insert("agent", {
        ...anAgent({ state: at }),
        sessionId: null,
        name: `feat-dev-issue-${issue}`,
        role: "feat-dev",
        issue,
        prNumber: null,
        createdAt: NOW - 3_600_000 + issue,
        sleepingSince: at === "SLEEPING" ? NOW - 3_600_000 : null,
        ...fields,
      });
      const own = { agentId: agent.id, repositoryId: 7, issue };
      await store.records.insert("run", { ...blankRun, ...own, state: phase });
      const title = `An export of a very long list of orders that nobody ever wanted to read, number ${issue}`;
      const task = {
        ...newTaskRecord,
        repositoryId: 7,
        issue,
        title,
        state,
        assigneeId: agent.id,
        createdAt: NOW,
        ...work,
      };
      await store.records.insert("task", task);
      return agent;
    };
    await add(1, "waiting_approval", { sleepReason: "approval", breaker: "max_turns" });
    await add(2, "paused", { sleepReason: "paused", heldBy: ["commit"] });
    await add(3, "waiting_input", { sleepReason: "review", prNumber: 31 }, "APPROVED");
    await add(4, "failed", { state: "FAILED", endedAt: NOW, sleepReason: null }, "BLOCKED");
    await add(5, "error", { sleepReason: "retry", dueAt: NOW + 60_000 });
    await add(6, "idle", { state: "CREATED", sleepReason: null }, "UNCLAIMED");
    const ended = { state: "COMPLETED", endedAt: NOW, sleepReason: null } as const;
    await add(8, "succeeded", ended, "BLOCKED", { blockedReason: DEADLOCK, reviewCyclesCurrent: 3 });
    await add(9, "succeeded", ended, "REJECTED", { rejectionReason: "Use `map` here." });
    await add(
      10,
      "idle",
      { state: "CREATED", sleepReason: null, dueAt: NOW + 300_000, reason: "`git` broke" },
      "UNCLAIMED",
    );
    const second = await add(7, "idle", { state: "CREATED", sleepReason: null }, "UNCLAIMED");
    await store.decisions.add({
      at: NOW,
      repositoryId: 7,
      issue: 7,
      agentId: second.id,
      rule: "slot",
      reason: "all 10 slots are in use",
      change: null,
      inputs: null,
      delivery: null,
    });
    for (const [index, phase] of RUN_STATES.entries())
      await add(20 + index, phase, { state: "ACTIVE", sleepReason: null, activeSince: NOW, leaseUntil: NOW });
  }

  it("lists each with its kind, and offers what can be done about it", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    await page.locator(".waiting li").first().waitFor();
    const kinds = await page.locator(".waiting .kind strong").allTextContents();
    expect(kinds.toSorted()).toEqual([
      "Changes requested",
      "Merge",
      "Needs replanning",
      "Paused",
      "Rejected too many times",
      "Retrying",
      "Turn limit reached",
    ]);
    expect(await page.locator(".figure.warn dd").first().textContent()).toBe("7");
    const limit = page.locator(".waiting li").filter({ hasText: "Turn limit reached" });
    await limit.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => acts).toContain("/agents/continue");
    await limit.getByRole("button", { name: "Complete" }).click();
    await limit.getByRole("button", { name: "Really complete?" }).click();
    await expect.poll(() => acts).toContain("/agents/complete");
    await limit.getByRole("button", { name: "Cancel" }).click();
    await limit.getByRole("button", { name: "Really cancel?" }).click();
    await expect.poll(() => acts).toContain("/agents/kill");
    const pushed = page.locator(".waiting li").filter({ hasText: "somebody else pushed to its branch" });
    await pushed.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => acts).toContain("/agents/resume");
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ["the overview", "/"],
    ["the page of its coder, which had completed,", "/agents/acme%2Fshop%3Afeat-dev-issue-8"],
  ])("resumes after a review deadlock with the rounds of the number field: %s", async (_, path) => {
    const { page, context, faults } = await watch(browser, stage.url, path);
    const item = page.locator(".waiting li").filter({ hasText: "Rejected too many times" });
    const rounds = item.getByLabel("Review rounds");
    const resume = item.getByRole("button", { name: "Resume" });
    await rounds.fill("3");
    bodies.length = 0;
    await resume.click();
    await expect.poll(() => bodies).toMatchObject([{ agent: "acme/shop:feat-dev-issue-8", rounds: 3 }]);
    for (const wrong of ["1.5", "0", "e"]) {
      await rounds.fill("");
      await rounds.pressSequentially(wrong);
      await resume.click();
      await item.getByText("Enter a whole number from 1 to 9999").waitFor();
    }
    expect(bodies).toHaveLength(1);
    await rounds.fill("");
    await resume.click();
    await expect.poll(() => bodies.length).toBe(2);
    expect(bodies[1]).not.toHaveProperty("rounds");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("sets code as code, and tells one that waits for a set time when it starts and why", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    const card = (issue: number) => page.locator(".board li").filter({ hasText: `#${issue} ` });
    expect(await card(10).textContent()).toMatch(/about to start, not before [\d:]+ [AP]M: git broke/);
    expect(await card(10).textContent()).not.toContain("queue");
    expect(await card(9).locator("code").first().textContent()).toBe("map");
    expect(await page.locator("#app").textContent()).not.toContain("`");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says on each card who is at it, its place in the queue and the reason; each phase has its own words and colour", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    const card = page.locator(".board li").filter({ hasText: "number 7" });
    await card.waitFor();
    expect(await card.textContent()).toContain("number 2 in the queue: all 10 slots are in use");
    const running = page.locator(".board li").filter({ hasText: "number 23" });
    expect(await running.textContent()).toMatch(/works.*does the work/);
    const words = new Set(await page.locator("table.agents .phase").allTextContents());
    expect(words.size).toBe(RUN_STATES.length);
    const marks: unknown = await page.evaluate(
      "[...document.querySelectorAll('table.agents .phase')].map(each => { const mark = getComputedStyle(each, '::before'); return mark.backgroundColor + mark.borderTopStyle; })",
    );
    expect(new Set(Array.isArray(marks) ? marks : []).size).toBe(RUN_STATES.length);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([1280, 390])("fits into %s pixels", async (width) => {
    const { page, context } = await watch(browser, stage.url, "/", { width, height: 900 });
    await page.locator(".board li").first().waitFor();
    expect(await sideways(page)).toBe(0);
    if (process.env["FLOTILLA_TESTS_SHOTS"] !== undefined)
      await page.screenshot({
        path: `${process.env["FLOTILLA_TESTS_SHOTS"]}/waiting-${width}.png`,
        fullPage: true,
      });
    await context.close();
  });
});
