import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blankSprint } from "../../src/domain/planning/sprint.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

describeInBrowser("goals and sprints in a browser", () => {
  let browser: Browser;
  let stage: Stage;
  const acts: string[] = [];

  beforeAll(async () => {
    stage = await openStage({
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        return { status: 200, body: {} };
      },
    });
    await seedDay(stage.store, Date.now());
    await holdByCheckpoint();
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** The goal's sprint is at CHECKPOINT, and one agent of it is paused by that. */
  async function holdByCheckpoint(): Promise<void> {
    const { records } = stage.store;
    const [goal] = await records.find("goal", {});
    const sprint = await records.insert("sprint", {
      ...blankSprint,
      repositoryId: 7,
      goalId: goal?.id ?? null,
      milestone: 2,
      title: "First release",
      state: "CHECKPOINT",
      reason: "@alice asked for a checkpoint",
      dueAt: Date.UTC(2026, 11, 24),
    });
    const [agent] = await records.find("agent", { issue: 41 });
    const [task] = await records.find("task", { issue: 41 });
    if (agent === undefined || task === undefined) throw new Error("the day has no work on #41");
    await records.save("task", task, { ...task, sprintId: sprint.id });
    await records.save("agent", agent, {
      ...agent,
      state: "SLEEPING",
      sleepReason: "paused",
      heldBy: ["sprint"],
      sleepingSince: Date.now() - 60_000,
      activeSince: null,
      leaseUntil: null,
    });
  }

  it.each([1280, 390])(
    "are shown and steered at %i pixels, with buttons only for what works",
    async (width) => {
      const { page, context, faults } = await watch(browser, stage.url, "/", { width, height: 844 });
      const goals = page.getByRole("region", { name: "Goals" });
      await goals.getByText(/^First release:/).waitFor();
      const row = await goals.getByRole("row").filter({ hasText: "First release" }).textContent();
      expect(row?.split("@alice asked for a checkpoint")).toHaveLength(2);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
      expect(await goals.getByRole("button", { name: /^Checkpoint/ }).count()).toBe(0);
      const held = page.locator(".waiting li", { hasText: "acme/shop#41" });
      await held
        .getByText('its sprint "First release" is at CHECKPOINT: @alice asked for a checkpoint')
        .waitFor();
      await held.getByText("/flotilla continue on #28").waitFor();
      expect(await held.getByRole("button", { name: /^Resume/ }).count()).toBe(0);
      acts.length = 0;
      await page
        .locator(".waiting li", { hasText: "Checkpoint" })
        .getByRole("button", { name: /^Continue/ })
        .click();
      await goals.getByRole("button", { name: /^Abort/ }).click();
      await goals.getByRole("button", { name: /^Really abort/ }).click();
      await expect.poll(() => acts.length).toBe(2);
      expect(acts.join("\n")).toMatch(/"verb":"continue".*\n.*"verb":"abort"/);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
