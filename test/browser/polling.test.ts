import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LOOK_MS } from "../../src/dashboard/page/live.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { VIEWS, type Watched, watch } from "./views.ts";

const FRAME_MS = 100;

/** Lets the interval pass once, and draws the next frame: only then the page reads. */
async function fiveSeconds(page: Page): Promise<void> {
  await page.clock.runFor(LOOK_MS);
  await page.clock.runFor(FRAME_MS);
}

describeInBrowser("the page without an event", () => {
  let browser: Browser;
  let stage: Stage;
  let working: Awaited<ReturnType<typeof seedDay>>["working"];

  beforeAll(async () => {
    stage = await openStage();
    ({ working } = await seedDay(stage.store, Date.now()));
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** A view whose timers stand still until the test moves them, and what it reads of the API from then on. */
  async function stopped(path: string, drawn: string): Promise<Watched & { readonly reads: string[] }> {
    const watched = await watch(browser, stage.url, path);
    const { page } = watched;
    await page.getByRole("heading", { name: drawn }).waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    await page.clock.pauseAt(Date.now() + LOOK_MS);
    const reads: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/api/")) reads.push(pathname);
    });
    return { ...watched, reads };
  }

  it("shows what changed once five seconds have passed", async () => {
    const { page, context, faults, reads } = await stopped("/", "Waiting for a person");
    const row = page.getByRole("row").filter({ hasText: "feat-dev #41" });
    await row.getByText("17").waitFor();
    // The stream has opened, and something may have changed before: the page reads once for that.
    await fiveSeconds(page);
    await expect.poll(() => reads).toContain("/api/overview");
    await stage.store.records.count(working.id, "turns", 1);
    await fiveSeconds(page);
    await row.getByText("18").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  // The settings in force change only with a new process.
  it.each(VIEWS.filter(([path]) => path !== "/settings"))(
    "reads %s again every five seconds",
    async (path, drawn) => {
      const { page, context, reads } = await stopped(path, drawn);
      for (let round = 1; round <= 3; round += 1) {
        const before = reads.length;
        await fiveSeconds(page);
        await expect.poll(() => reads.length).toBeGreaterThan(before);
      }
      await context.close();
    },
  );
});
