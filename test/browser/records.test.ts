import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { someSettings } from "../factories/some-settings.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { IN_FORCE, SCHEDULES, seedPeople, seedRecords } from "./seed-records.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

/** What differs between them is size or colour, and each is seen in both. */
const LOOKS = [
  { width: 1280, dark: false },
  { width: 390, dark: true },
] as const;

describeInBrowser("the records in a browser", () => {
  let browser: Browser;
  let stage: Stage;
  let acts: string[];

  beforeAll(async () => {
    acts = [];
    stage = await openStage({
      settings: someSettings({ schedules: SCHEDULES }),
      inForce: IN_FORCE,
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        if (path === "/schedules/run") return { status: 200, body: { issue: 60, skipped: null } };
        return { status: 200, body: {} };
      },
    });
    await seedDay(stage.store, Date.now());
    await seedRecords(stage.store, Date.now());
    await seedPeople(stage.store, Date.now());
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it.each(LOOKS)("tells why something failed and what to do, and retries it: %j", async (looks) => {
    const { page, context, faults } = await watch(browser, stage.url, "/failures", looks);
    const failed = page.getByRole("listitem").filter({ hasText: "Writing the status comment" });
    await failed.getByText("GitHub did not allow it.").waitFor();
    await failed.getByText("Check the App's permissions").waitFor();
    const message = failed.getByText("GitHub answered 403: the App may not write comments");
    expect(await message.isVisible()).toBe(false);
    await failed.getByText("Error message").focus();
    await page.keyboard.press("Enter");
    expect(await message.isVisible()).toBe(true);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await failed.getByRole("button", { name: "Retry Writing the status comment for acme/shop#41" }).click();
    await expect.poll(() => acts.at(-1)).toMatch(/^\/effects\/replay .*"by":"operator:dashboard"/);
    const notice = page.getByRole("listitem").filter({ hasText: "Telling team of the event question" });
    await notice.getByText("The receiver refused it.").waitFor();
    await notice.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => acts.filter((act) => act.startsWith("/effects/replay")).length % 2).toBe(0);
    const webhook = page.getByRole("listitem").filter({ hasText: "issues.opened" });
    await webhook.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => acts.at(-1)).toMatch(/^\/deliveries\/11111111.*\/replay /);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each(LOOKS)("tells when each schedule comes next and what came of the last time: %j", async (looks) => {
    const { page, context, faults } = await watch(browser, stage.url, "/schedules", looks);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("dependency-update").getByText("every Monday at 06:00").waitFor();
    await row("dependency-update").getByText("06:00 AM in America/New_York").waitFor();
    expect(await row("dependency-update").getByRole("link", { name: "#51" }).getAttribute("href")).toBe(
      "https://github.test/acme/shop/issues/51",
    );
    await row("dead-code").getByText("#28 is open").waitFor();
    expect(await row("link-check").getByRole("link", { name: "see Failures" }).count()).toBe(1);
    expect(await row("never-yet").getByRole("button").count()).toBe(0);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await row("dead-code").getByRole("button", { name: "Run now dead-code" }).click();
    await expect.poll(() => acts.at(-1)).toMatch(/^\/schedules\/run .*"schedule":"dead-code"/);
    expect(await page.getByRole("link", { name: "acme/shop#60" }).getAttribute("href")).toBe(
      "https://github.test/acme/shop/issues/60",
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each(LOOKS)("tells who did what, and finds it by person, kind and repository: %j", async (looks) => {
    const { page, context, faults } = await watch(browser, stage.url, "/people", looks);
    const rows = page.locator("table.people tbody tr");
    await rows.filter({ hasText: "@bob" }).filter({ hasText: "denied a call of bash" }).waitFor();
    expect(await rows.filter({ hasText: "ci[bot]" }).count()).toBe(0);
    expect(await rows.filter({ hasText: "raised the day's budget" }).textContent()).toContain("$5.00");
    const killed = rows.filter({ hasText: "the operator" });
    expect(await killed.textContent()).toContain("command line");
    expect(await killed.getByRole("link", { name: "feat-dev-issue-41" }).count()).toBe(1);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByLabel("Person").fill("@BOB");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(3);
    expect(new URL(page.url()).search).toBe("?by=BOB");
    await page.getByRole("combobox", { name: "What" }).selectOption("Pauses");
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("combobox", { name: "What" }).selectOption("Answers");
    await page.getByText("Nothing matches.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each(LOOKS)("tells what applies and where it comes from, and no secret: %j", async (looks) => {
    const { page, context, faults } = await watch(browser, stage.url, "/settings", looks);
    const rows = page.locator("table.settings tbody tr");
    const row = (key: string) => rows.filter({ has: page.getByText(key, { exact: true }) });
    await row("circuit_breakers.defaults.max_turns").getByText("config.yaml:6").waitFor();
    expect(await row("circuit_breakers.defaults.max_turns").textContent()).toContain("40");
    expect(await row("services.db.env.PGPASSWORD").textContent()).toContain("set, not shown");
    expect(await row("WEBHOOK_SECRET").textContent()).toContain("set, not shown");
    expect(await page.content()).not.toContain("hunter2");
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByLabel("Search").fill("max_tokens defaults");
    await page.getByText("No setting matches.").waitFor();
    await page.getByRole("button", { name: "Look in all settings" }).click();
    await row("circuit_breakers.defaults.max_tokens").getByText("default", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=max_tokens+defaults&origin=all");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says why the settings are not shown to a person", async () => {
    const { page, context } = await watch(browser, stage.url, "/settings", { width: 390 });
    await page.route("**/api/me", (route) =>
      route.fulfill({ json: { viewer: { kind: "person", login: "ada", id: 5 }, page: "", site: "" } }),
    );
    await page.reload();
    await page.getByText("Only the operator sees the settings.").waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await context.close();
  });
});
