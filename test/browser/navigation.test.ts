import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PLACES } from "../../src/dashboard/page/places.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

const background = (page: Page) =>
  page.evaluate("getComputedStyle(document.documentElement).backgroundColor");

describeInBrowser("the ways around the dashboard", () => {
  let browser: Browser;
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
    await seedDay(stage.store, Date.now());
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("leads to every place, also on a phone and by keyboard", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/", { width: 390 });
    const menu = page.getByRole("button", { name: "Menu" });
    const places = page.getByRole("navigation", { name: "Places" });
    await menu.waitFor();
    expect(await places.isVisible()).toBe(false);
    await menu.focus();
    await page.keyboard.press("Enter");
    const names = PLACES.map(([, name]) => name);
    expect(await places.getByRole("link").allTextContents()).toEqual(names);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    expect(await places.isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.id")).toBe("menu");
    for (const [path, name] of PLACES) {
      await menu.click();
      await places.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(`${stage.url}${path}`);
      await menu.and(page.getByText(`Menu: ${name}`)).waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
      expect({ path, wider: await sideways(page) }).toEqual({ path, wider: 0 });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect([await places.isVisible(), await menu.isVisible()]).toEqual([true, false]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows an address without a page as such, with the navigation and a way back", async () => {
    const { page, context } = await watch(browser, stage.url, "/nonsense/%25", { width: 390 });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByText("/nonsense/%25").waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByRole("link", { name: "All agents and their work" }).click();
    await page.getByRole("heading", { name: "Work", level: 1 }).waitFor();
    await context.close();
  });

  it.each([
    ["/agents/acme%2Fshop%3Anobody-issue-1", "No such agent", "See all agents"],
    ["/repositories/acme/none", "No such repository", "See all agents"],
    ["/goals/acme/shop/999", "No such goal", "See all goals"],
    ["/tasks/SOLD", "Page not found", "All agents and their work"],
  ])("says at %s: %s", async (path, heading, link) => {
    const { page, context } = await watch(browser, stage.url, path, { width: 390 });
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByRole("link", { name: link }).click();
    await page.getByRole("heading", { name: /^(?:Work|Goals)$/, level: 1 }).waitFor();
    await context.close();
  });

  it("says what is wrong where Flotilla answers with an error, and tries again when asked", async () => {
    const { page, context } = await watch(browser, stage.url, "/");
    await page.getByText("live", { exact: true }).waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    await page.route("**/api/overview", (route) => route.fulfill({ status: 500, body: "The log says more" }));
    await page.reload();
    await page.getByText("Flotilla answered with an error (500). Its log says more.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/api/overview");
    await again.click();
    await page.getByText("Waiting for a person").first().waitFor();
    await page.route("**/api/me", (route) => route.fulfill({ status: 502, body: "<h1>Bad Gateway</h1>" }));
    await page.reload();
    await page.getByRole("heading", { name: "Flotilla is not responding" }).waitFor();
    expect([await page.getByLabel("Token").count(), await violations(page)]).toEqual([0, []]);
    await page.unroute("**/api/me");
    await again.click();
    await page.getByText("Waiting for a person").first().waitFor();
    await context.close();
  });

  it("keeps the theme that a person chooses, and follows the system without a choice", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/goals", { dark: true });
    const theme = page.getByRole("combobox", { name: "Theme" });
    await theme.waitFor();
    const dark = await background(page);
    await theme.selectOption("light");
    const light = await background(page);
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await background(page)).toBe(light);
    await page.getByRole("link", { name: "Failures" }).click();
    await expect.poll(() => theme.inputValue()).toBe("light");
    expect([await background(page), await violations(page)]).toEqual([light, []]);
    await theme.selectOption("system");
    expect(await background(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background(page)).toBe(light);
    await theme.selectOption("dark");
    expect([await background(page), await violations(page)]).toEqual([dark, []]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("calls no list empty before it has read it", async () => {
    const { page, context, faults } = await watch(browser, stage.url, "/failures");
    const held: Route[] = [];
    const lists = /\/api\/(?:deliveries|effects)\b/;
    await page.route(lists, (route) => void held.push(route));
    await page.reload();
    await expect.poll(() => held.length).toBe(4);
    expect(await page.getByText("Loading…").count()).toBe(4);
    expect(await page.getByText(/^(?:Flotilla has handled every|No action)/).count()).toBe(0);
    // Lets go also what the page asks again when the data change.
    await page.unroute(lists);
    await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("greys what may be out of date while Flotilla is away, and tries again when asked", async () => {
    const { page, context } = await watch(browser, stage.url, "/");
    const colour = () => page.evaluate("getComputedStyle(document.querySelector('.figure dd')).color");
    const again = page.getByRole("button", { name: "Try again" });
    await page.getByText("live", { exact: true }).waitFor();
    await page.locator(".figure dd").first().waitFor();
    const sure = await colour();
    let away = true;
    await page.route(/\/api\/events|\/healthz/, (route) => {
      if (!away) return route.continue();
      return route.request().url().includes("events") ? route.fulfill({ status: 503 }) : route.abort();
    });
    await page.clock.install();
    await page.reload();
    await again.waitFor();
    await page.locator(".figure").first().waitFor();
    expect(await violations(page)).toEqual([]);
    // From here on the page does not try by itself: its time stands still but for the frames that it draws.
    await page.clock.pauseAt(Date.now() + 60_000);
    const drawn = async () => {
      await page.clock.runFor(20);
      return page.locator("body").textContent();
    };
    await again.click();
    await expect.poll(drawn).toContain("Still no answer at");
    expect(await colour()).not.toBe(sure);
    away = false;
    await again.click();
    await expect.poll(drawn).not.toContain("not connected since");
    expect([await again.count(), await colour()]).toEqual([0, sure]);
    await context.close();
  });
});
