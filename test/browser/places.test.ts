import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aRepositoryFile, NO_OVERRIDE } from "../factories/a-repository-file.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { seedHistory } from "./seed-history.ts";
import { openStage, type Stage } from "./stage.ts";
import { draw, sideways, violations, watch } from "./views.ts";

describeInBrowser("a repository's page in a browser", () => {
  let browser: Browser;
  let stage: Stage;
  let acts: string[];

  beforeAll(async () => {
    acts = [];
    stage = await openStage({
      dayBudgets: async (ids) => new Map(ids.map((id) => [id, { allowed: 6_000_000, reserved: 1_000_000 }])),
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        return { status: 200, body: {} };
      },
    });
    // Noon, so that no day of the plots depends on the hour at which the tests run.
    const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000;
    await seedDay(stage.store, Date.now());
    await seedHistory(stage.store, noon);
    await stage.store.repositoryFiles.put(
      aRepositoryFile({
        readAt: Date.now() - 7_200_000,
        override: { ...NO_OVERRIDE, limits: { defaults: { maxTurns: 9999 }, roles: {} } },
      }),
    );
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("plots throughput, cost and where time went on named axes, and says the same in tables", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/repositories/acme/shop");
    const merged = page.getByRole("img", { name: /^Merged: 11 in total, at most \d$/ });
    await merged.waitFor();
    expect(await merged.locator("rect").count()).toBe(30);
    const plot = page.locator("figure.plot").filter({ has: merged });
    expect(await plot.locator(".up span").allTextContents()).toEqual(["2", "0"]);
    expect(await plot.locator(".along > span").allTextContents()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      "Day (UTC)",
      new Date().toISOString().slice(0, 10),
    ]);
    for (const name of ["Failed or cancelled: 2 in total, at most 1", "Cost: $23.69 in total, at most $5.25"])
      await page.getByRole("img", { name }).waitFor();
    await page.getByRole("img", { name: /^Time in state: / }).waitFor();
    await draw(page, "repository");
    await page.getByText("As a table").first().click();
    expect(await plot.getByRole("row").count()).toBe(31);
    await page.getByRole("link", { name: "13 weeks" }).click();
    await page.getByRole("heading", { name: "The last 13 weeks" }).waitFor();
    expect(await merged.locator("rect").count()).toBe(13);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("draws no plot of nothing, and leads from a goal to its issue on GitHub", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/goals/acme/shop/28");
    await page.getByText("None in this time: merged, failed or cancelled.").waitFor();
    expect(await page.locator("figure.plot figcaption").allTextContents()).toEqual([
      expect.stringMatching(/^Cost \$/),
      expect.stringMatching(/^Cost by issue \$/),
      expect.stringMatching(/^Time in state \d/),
    ]);
    const links = page.getByRole("link", { name: "acme/shop#28" });
    for (const link of await links.all())
      expect(await link.getAttribute("href")).toBe("https://github.test/acme/shop/issues/28");
    expect([await links.count(), faults]).toEqual([2, []]);
    await context.close();
  });

  it("shows what work cost by day, repository, role and model, against the budgets, also on a phone", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/costs", { width: 390, dark: true });
    await page.getByText("Agents wait until midnight UTC.").waitFor();
    const budget = page.getByRole("region", { name: "Budgets" }).locator("tbody tr");
    expect(await budget.locator("td").allTextContents()).toEqual(["$5.25", "$1.00", "$6.00 "]);
    await page.getByRole("img", { name: /^Cost: \$23\.69 in total/ }).waitFor();
    for (const name of ["By repository", "By role", "By model"])
      await page.getByRole("region", { name }).getByText("$23.69").waitFor();
    await page.getByText("As a table").click();
    expect(await page.locator("figure.plot tbody tr").count()).toBe(30);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByRole("link", { name: "7 days", exact: true }).click();
    await page.getByText("spent in 7 days").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("pauses after a second look, says who paused it, and offers to continue", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/repositories/acme/shop");
    const button = page.getByRole("button", { name: "Pause acme/shop" });
    await button.click();
    await page.getByRole("button", { name: "Really pause?" }).click();
    await expect.poll(() => acts).toEqual([expect.stringMatching(/^\/pause .*"scope":"acme\/shop"/)]);
    await stage.store.scopePauses.add({
      scope: "repository:7",
      holder: "person",
      by: "alice",
      reason: "release day",
      since: Date.now(),
    });
    await page.reload();
    await page.getByText("Paused by alice (release day)").waitFor();
    expect(await button.count()).toBe(0);
    await page.getByRole("button", { name: "Resume acme/shop" }).click();
    await expect.poll(() => acts.at(-1)).toMatch(/^\/resume .*"scope":"acme\/shop"/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says what is wrong with the repository's own file, and what holds meanwhile", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/repositories/acme/shop");
    await page.getByText(".github/flotilla.yml applies, blob 1a2b3c4").waitFor();
    await page.getByText("What this file sets here (1, 1 not as it asks)").click();
    await page.getByText("The file asks for 9999; the operator's settings do not allow that.").waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    const wrong = 'roles.x: unknown key <img src=x onerror="alert(1)">. Did you mean "y"?';
    await stage.store.repositoryFiles.put(aRepositoryFile({ faults: [wrong], source: "9f8e7d6 -" }));
    await page.reload();
    const shown = page.getByRole("group", { name: "Faults in the file" });
    expect(await shown.textContent()).toBe(wrong);
    await page.getByText("its last version without a fault still applies, blob 9f8e7d6").waitFor();
    expect([await violations(page), faults]).toEqual([[], []]);
    await context.close();
  });
});
