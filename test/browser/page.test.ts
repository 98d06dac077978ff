import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { anAgent } from "../factories/records.ts";
import { stepped } from "../factories/run-events.ts";
import { ATTACKS } from "./attacks.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { AGENT, draw, sideways, VIEWS, violations, watch } from "./views.ts";

/** What differs between them is size or colour, and each is seen in both. */
const LOOKS = [
  { width: 1280, colours: "light" },
  { width: 375, colours: "dark" },
] as const;

describeInBrowser("the dashboard in a browser", () => {
  let browser: Browser;
  let stage: Stage;
  let working: AgentRecord;
  let acts: string[];

  beforeAll(async () => {
    acts = [];
    stage = await openStage({
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        return { status: 200, body: {} };
      },
      diff: async () => ({ files: ["a.ts"], patch: "--- a\n+++ b\n@@ 1 @@\n-old\n+new\n", cut: false }),
    });
    ({ working } = await seedDay(stage.store, Date.now()));
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("shows without scrolling who waits for a person, what runs and what it cost", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    const seen = async (text: string) => {
      const found = page.getByText(text).first();
      await found.waitFor();
      const box = await found.boundingBox();
      return box !== null && box.y + box.height <= 800 && box.x + box.width <= 1280;
    };
    expect(await seen("waiting for a person")).toBe(true);
    for (const text of ["Escalated", "Question", "Approval", "feat-dev #41", "$1.31", "spent today", "$5.25"])
      expect({ text, seen: await seen(text) }).toEqual({ text, seen: true });
    const order = await page.locator(".waiting .kind strong").allTextContents();
    expect(order).toEqual(["Escalated", "Question", "Approval"]);
    expect(new URL(page.url()).hash).toBe("");
    expect(await page.evaluate("document.cookie")).toBe("");
    await draw(page, "overview");
    await page.emulateMedia({ colorScheme: "dark" });
    await draw(page, "dark");
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: "light" });
    await draw(page, "phone");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows a tool call as pending, and as running once it is let go", async () => {
    const other = await openStage();
    const { working: agent } = await seedDay(other.store, Date.now());
    const { page, context, faults } = await watch(browser, other.url, AGENT);
    const call = page.locator(".transcript .tool").filter({ hasText: "editing src/export.ts" });
    await call.getByText("pending", { exact: true }).waitFor();
    const now = page.locator(".now");
    await now.getByText("pending for").waitFor();
    await other.store.transaction(async ({ toolCalls, runEvents }) => {
      const event = { type: "tool:running", data: { call: "c2", tool: "edit" } } as const;
      await toolCalls.letGo({ agentId: agent.id, toolCallId: "c2" });
      await runEvents.add({ at: Date.now(), agentId: agent.id, repositoryId: 7, issue: 41, event });
    });
    await call.getByText("running", { exact: true }).waitFor();
    await now.getByText("src/export.ts for").waitFor();
    expect(faults).toEqual([]);
    await context.close();
    await other.close();
  });

  it("continues to more agents that ended, and keeps the moves of one in a frame of their own", async () => {
    const other = await openStage();
    await seedDay(other.store, Date.now());
    for (let issue = 60; issue < 72; issue += 1) {
      const ended = anAgent({ state: "COMPLETED", role: "feat-dev", issue, name: `feat-dev-issue-${issue}` });
      await other.store.records.insert("agent", { ...ended, endedAt: Date.now() - issue, sessionId: null });
    }
    const { page, context, faults } = await watch(browser, other.url, "/");
    const rows = page.locator("table.agents tr.over");
    await expect.poll(() => rows.count()).toBe(8);
    await page.getByRole("button", { name: "Show more agents that ended" }).click();
    await expect.poll(() => rows.count()).toBe(13);
    expect(await page.getByRole("button", { name: "Show more agents" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
    await other.close();
  });

  it("tells what changed without a reload", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    const row = page.getByRole("row").filter({ hasText: "feat-dev #41" });
    await row.getByText("17").waitFor();
    await page.evaluate("window.same = true");
    await stage.store.records.count(working.id, "turns", 1);
    const pause = { scope: "all", holder: "person", by: "alice", reason: null, since: Date.now() } as const;
    await stage.store.scopePauses.add(pause);
    await stage.store.runEvents.add({
      at: Date.now(),
      agentId: working.id,
      repositoryId: 7,
      issue: working.issue,
      event: stepped(18),
    });
    // Told by the event: the page looks by itself only every five seconds.
    await row.getByText("18").waitFor({ timeout: 4500 });
    await page.getByText("Everything is paused by alice").first().waitFor();
    await page.getByRole("button", { name: "Resume all" }).click();
    await expect.poll(() => acts).toEqual([expect.stringMatching(/^\/resume .*"scope":"all"/)]);
    await stage.store.scopePauses.lift("all", "person");
    acts.length = 0;
    expect(await page.evaluate("window.same")).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says that it is not connected and since when, and continues automatically", async () => {
    const { page, context } = await watch(browser, stage.url, "/");
    await page.getByText("live", { exact: true }).waitFor();
    await stage.down();
    await page.getByText("not connected since").waitFor();
    await stage.up();
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.getByText("not connected").count()).toBe(0);
    await context.close();
  });

  it("lets a person act, asks twice for what cannot be taken back, and needs no mouse", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    const reached: string[] = [];
    for (let stop = 0; stop < 60 && !reached.at(-1)?.startsWith("Deny"); stop += 1) {
      await page.keyboard.press("Tab");
      reached.push(String(await page.evaluate("document.activeElement.textContent")).trim());
    }
    expect(reached.at(-1)).toContain("Deny");
    await page.keyboard.press("Enter");
    await page.getByText("Really deny?").waitFor();
    expect(acts).toEqual([]);
    await page.keyboard.type("Not this host.");
    for (const _ of ["Approve", "Really deny?"]) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => acts)
      .toEqual([
        expect.stringMatching(/^\/approvals\/decide (?=.*"verdict":"deny").*"reason":"Not this host\."/),
      ]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("asks who has no session for the token, and shows nothing else", async () => {
    const { page, context } = await watch(browser, stage.url, "/", { signedIn: false });
    await page.getByLabel("Token").fill("a guess");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This token is wrong.").waitFor();
    expect(await page.content()).not.toContain("feat-dev");
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  it("shows the texts of issues and agents as texts, whatever they are", async () => {
    // One word too long for any line, so that a view that does not break it is wider than a phone.
    const text = [...ATTACKS, "x".repeat(300)].join("\n");
    const other = await openStage({ diff: async () => ({ files: [text], patch: `+${text}`, cut: false }) });
    await seedDay(other.store, Date.now(), { title: text, reason: text, said: text, input: text });
    for (const [path, heading] of VIEWS) {
      const { page, context, faults } = await watch(browser, other.url, path);
      await page.getByRole("heading", { name: heading }).waitFor();
      await page.getByText("live", { exact: true }).waitFor();
      if (path === AGENT) {
        await page.locator(".diff summary").first().waitFor();
        for (const part of ["History", "Decisions"])
          await page.locator("summary").filter({ hasText: part }).first().click();
        await page.locator(".transcript details summary").first().click();
        await page.getByText("evil.test/a.css").first().waitFor();
      }
      const shown = await page.locator("#app").textContent();
      const missing =
        path === AGENT ? ATTACKS.filter((attack) => shown?.includes(attack.trim()) !== true) : [];
      expect({ path, missing }).toEqual({ path, missing: [] });
      const planted =
        "#app :is(script, iframe, form:not(.start, .answer, .message, .filter), style, link, meta, base, math, [onerror], [onload], [src]:not(.screens img), [href^=javascript])";
      expect({ path, planted: await page.locator(planted).count() }).toEqual({ path, planted: 0 });
      await page.setViewportSize({ width: 375, height: 812 });
      expect({ path, faults, wider: await sideways(page) }).toEqual({ path, faults: [], wider: 0 });
      await context.close();
    }
    await other.close();
    // Each view is opened with it.
  }, 180_000);

  it("keeps the label of each cell clear of its value on a phone", async () => {
    const { page, context } = await watch(browser, stage.url, "/", { width: 390 });
    await page.locator("td[data-label='Last activity']").first().waitFor();
    const touching = await page.evaluate(
      "[...document.querySelectorAll('td[data-label]')].filter(cell => getComputedStyle(cell, '::before').position === 'absolute' && parseFloat(getComputedStyle(cell, '::before').width) >= parseFloat(getComputedStyle(cell).paddingLeft)).map(cell => cell.dataset.label)",
    );
    expect(touching).toEqual([]);
    await context.close();
  });

  it.each(VIEWS)("has no fault of accessibility and nothing beside the window: %s", async (path, heading) => {
    const { page, context, faults } = await watch(browser, stage.url, path);
    await page.getByRole("heading", { name: heading }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await page.locator("#main :is(tbody tr, .cards li, .empty)").first().waitFor({ state: "attached" });
    await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
    for (const looks of LOOKS) {
      await page.setViewportSize({ width: looks.width, height: 812 });
      await page.emulateMedia({ colorScheme: looks.colours });
      expect({ looks, found: await violations(page) }).toEqual({ looks, found: [] });
      expect({ looks, wider: await sideways(page) }).toEqual({ looks, wider: 0 });
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
