import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { someSettings } from "../factories/some-settings.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { SCHEDULES, seedRecords } from "./seed-records.ts";
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
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        if (path === "/schedules/run") return { status: 200, body: { issue: 60, skipped: null } };
        return { status: 200, body: {} };
      },
    });
    await seedDay(stage.store, Date.now());
    await seedRecords(stage.store, Date.now());
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
});
