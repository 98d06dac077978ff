import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PLACES } from "../../src/dashboard/page/places.ts";
import { agent, delivery, repository } from "../adapters/store/samples.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

describeInBrowser("a new dashboard in a browser", () => {
  let browser: Browser;
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("says on each page that nothing is there yet, and has no fault of accessibility there", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    for (const [path] of PLACES) {
      await page.goto(`${stage.url}${path}`);
      await page.getByText("live", { exact: true }).waitFor();
      await page.locator("#main .empty:visible").first().waitFor();
      await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
      for (const [width, colorScheme] of [
        [1280, "light"],
        [390, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 812 });
        await page.emulateMedia({ colorScheme });
        expect({ path, width, found: await violations(page) }).toEqual({ path, width, found: [] });
        expect({ path, width, wider: await sideways(page) }).toEqual({ path, width, wider: 0 });
      }
    }
    expect(faults).toEqual([]);
    await context.close();
  }, 180_000);

  it("ticks the first steps as they are done, and shows the page alone once the model has answered", async () => {
    const { store } = stage;
    const { page, context, faults } = await watch(browser, stage.url, "/");
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByText("0 of 5 done").waitFor();
    expect(await steps.locator("[aria-current=step]").textContent()).toContain("The GitHub App is installed");
    await page.evaluate("window.same = true");
    await store.repositories.put(repository);
    await store.deliveries.insert([delivery({ guid: "1" })]);
    await steps.getByText("3 of 5 done").waitFor();
    await steps.getByText("acme/rocket").waitFor();
    expect(await steps.locator("[aria-current=step]").textContent()).toContain("The first agent has started");
    expect(await violations(page)).toEqual([]);
    const made = await store.records.insert("agent", agent());
    await steps.getByText("4 of 5 done").waitFor();
    const usage = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicroUsd: 0 };
    await store.usage.add({ agentId: made.id, ...usage, at: Date.now() });
    await steps.waitFor({ state: "detached" });
    expect(await page.evaluate("window.same")).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
});
