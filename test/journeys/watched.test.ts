import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { play } from "../../src/demo/play.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import { describeInBrowser, openBrowser } from "../browser/chromium.ts";
import { violations } from "../browser/views.ts";
import { type Journey, startJourney } from "./journey.ts";

const scenario = readScenario(MAIN_SCENARIO);

/** Records each state in which an agent is shown, as it appears. */
const WRITE_DOWN = `
  window.shown = [];
  const look = () => {
    for (const row of document.querySelectorAll(".agents tbody tr")) {
      const entry = row.querySelector("th a").textContent + ": " + row.querySelector(".state").textContent;
      if (!window.shown.includes(entry)) window.shown.push(entry);
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
`;

async function shownOn(page: Page): Promise<string> {
  return JSON.stringify(await page.evaluate("window.shown"));
}

describeInBrowser("the demo's scenario, watched in a browser", () => {
  let browser: Browser;
  let journey: Journey;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    [browser, journey] = await Promise.all([openBrowser(), startJourney({ scenario })]);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.goto(journey.dashboard());
    await page.getByText("No live agents").waitFor();
    await page.evaluate(WRITE_DOWN);
    await play(journey, scenario, () => undefined);
    await journey.quiet();
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await journey.close();
  });

  it("shows each agent working, sleeping and ending, without a reload", async () => {
    for (const state of [
      "feat-dev #1: works",
      "feat-dev #1: sleeps",
      "feat-dev #1: completed",
      "bug-fix #2: completed",
    ])
      await expect.poll(() => shownOn(page), { timeout: 60_000 }).toContain(state);
    expect(faults).toEqual([]);
  });

  it("shows how the agent that slept ended, with its transcript", async () => {
    await page.getByRole("link", { name: "feat-dev #1" }).click();
    await page.getByText("reported that it is done").first().waitFor();
    await expect.poll(() => page.locator(".path li").count()).toBeGreaterThanOrEqual(5);
    await expect.poll(() => page.locator(".transcript li.tool").count()).toBeGreaterThanOrEqual(3);
    expect(await violations(page)).toEqual([]);
  });
});
