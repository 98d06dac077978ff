import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newTaskRecord } from "../../src/domain/tasks/task-record.ts";
import { anAgent } from "../factories/records.ts";
import { someSettings } from "../factories/some-settings.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

describeInBrowser("the work page in a browser", () => {
  let browser: Browser;
  let stage: Stage;

  const acts: string[] = [];

  beforeAll(async () => {
    stage = await openStage({
      settings: someSettings({ level: "merge" }),
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        return { status: 200, body: {} };
      },
    });
    await seedDay(stage.store, Date.now());
    for (let issue = 100; issue < 160; issue += 1) {
      const ended = anAgent({ state: "COMPLETED", role: "docs-dev", issue, name: `docs-dev-issue-${issue}` });
      await stage.store.records.insert("agent", { ...ended, endedAt: Date.now() - issue, sessionId: null });
    }
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("finds agents as a person types and chooses, and keeps what they look for in the address", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/work");
    const names = () => page.locator("table.agents tbody th > a:not(.pull)").allTextContents();
    const address = () => new URL(page.url()).search;
    await page.getByText("6 agents", { exact: true }).waitFor();
    expect(await names()).toEqual([37, 44, 36, 33, 39, 41].map((issue) => `feat-dev #${issue}`));
    const search = page.getByRole("search");
    await search.getByLabel("Order").selectOption("Most expensive first");
    await expect.poll(async () => (await names())[0]).toBe("feat-dev #33");
    await search.getByLabel("Search").focus();
    await page.keyboard.type("time ");
    await expect.poll(address).toBe("?q=time&order=costliest");
    await page.keyboard.type("zone");
    await page.getByText("1 agent", { exact: true }).waitFor();
    expect([await names(), address()]).toEqual([["feat-dev #39"], "?q=time+zone&order=costliest"]);
    await page.reload();
    await page.getByText("1 agent", { exact: true }).waitFor();
    expect(await search.getByLabel("Search").inputValue()).toBe("time zone");
    await search.getByLabel("Search").fill("#30");
    await page.getByText("No agent in this state matches, but others do.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Look in all states" }).click();
    await expect.poll(names).toEqual(["feat-dev #30"]);
    await search.getByLabel("Role").selectOption("docs-dev");
    await page.getByText("No agent matches with this filter, but others do without it.").waitFor();
    await page.getByRole("button", { name: "Search without the filter" }).click();
    await expect.poll(names).toEqual(["feat-dev #30"]);
    await search.getByLabel("Search").fill("nowhere to be found");
    await page.getByText("No agent matches.").waitFor();
    await page.getByRole("button", { name: "Clear search and filter" }).click();
    await page.getByText("6 agents", { exact: true }).waitFor();
    expect([address(), await search.getByLabel("Search").inputValue()]).toEqual(["", ""]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says of an issue without an agent how to start one", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/work?q=%2350", { width: 390 });
    await page.getByText("#50 has no agent yet.").waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByRole("link", { name: "start work on #50" }).click();
    await expect.poll(() => page.getByLabel("Number").inputValue()).toBe("50");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("leads to more agents that ended, page by page, also on a phone", async () => {
    const query = "?state=ended&role=docs-dev&repository=acme%2Fshop&order=oldest";
    const { page, context, faults } = await watch(browser, stage.url, `/work${query}`, { width: 390 });
    const rows = page.locator("table.agents tbody tr");
    await page.getByText("50 agents, and more").waitFor();
    await page.getByText("docs-dev #100", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show more agents" }).click();
    await page.getByText("60 agents", { exact: true }).waitFor();
    expect([await rows.count(), await page.getByRole("button", { name: "Show more" }).count()]).toEqual([
      60, 0,
    ]);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    // Another list begins with its first page again.
    await page.getByLabel("Order").selectOption("Newest first");
    await page.getByText("50 agents, and more").waitFor();
    await page.getByText("docs-dev #159", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows what is on its way to the base branch, and merges it when a person says so", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/merge-queue", { width: 390 });
    const { records } = stage.store;
    const approved = page.getByRole("region", { name: "Approved" });
    await approved.getByText("Nothing is waiting to be merged.").waitFor();
    await page.getByRole("region", { name: "Merged" }).getByText("Sort the orders by date").waitFor();
    const coder = await records.insert("agent", {
      ...anAgent({ state: "COMPLETED", role: "feat-dev", issue: 70, name: "feat-dev-issue-70" }),
      sessionId: null,
      prNumber: 170,
      endedAt: Date.now(),
    });
    const task = { ...newTaskRecord, repositoryId: 7, issue: 70, title: "Ship it", assigneeId: coder.id };
    await records.insert("task", { ...task, state: "APPROVED", reviewCommit: "ab".repeat(20) });
    await approved.getByRole("link", { name: "acme/shop#70" }).waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await approved.getByRole("button", { name: "Merge #170" }).click();
    await approved.getByRole("button", { name: "Really merge" }).click();
    await expect.poll(() => acts).toEqual([expect.stringMatching(/^\/work\/merge .*"issue":70/)]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says that a repository in the address cannot be seen, and offers the others", async () => {
    const { page, context } = await watch(browser, stage.url, "/work?repository=acme%2Fgone");
    await page.getByText("This is not there any more, or you may not see it.").waitFor();
    expect(await page.locator("table.agents").count()).toBe(0);
    await page.getByLabel("Repository").selectOption("acme/shop");
    await page.getByText("6 agents", { exact: true }).waitFor();
    await context.close();
  });
});
