import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { seedMuch } from "./seed-much.ts";
import { CASES, seedCases } from "./seed-states.ts";
import { openStage, type Stage } from "./stage.ts";
import { AGENT, draw, sideways, violations, watch } from "./views.ts";

const PATCH = `diff --git a/src/export.ts b/src/export.ts
index 1111111..2222222 100644
--- a/src/export.ts
+++ b/src/export.ts
@@ -1,2 +1,2 @@
 header
-old
+new
diff --git a/src/long.ts b/src/long.ts
new file mode 100644
--- /dev/null
+++ b/src/long.ts
@@ -0,0 +1,90 @@
${"+line\n".repeat(90)}`;

const LOOKS = [
  { width: 1280, colours: "light" },
  { width: 390, colours: "dark" },
] as const;

const pageOf = (issue: number, role = "feat-dev") => `/agents/acme%2Fshop%3A${role}-issue-${issue}`;

const headings = (page: Page) => page.locator("main :is(h1, h2)").allTextContents();
const open = async (page: Page, summary: string) =>
  page.locator("summary").filter({ hasText: summary }).first().click();

describeInBrowser("an agent's page", () => {
  let browser: Browser;
  let stage: Stage;
  let acts: string[];

  beforeAll(async () => {
    acts = [];
    stage = await openStage({
      act: async (path, body) => {
        acts.push(`${path} ${JSON.stringify(body)}`);
        return { status: 200, body: {} };
      },
      diff: async () => ({ files: ["src/export.ts", "src/long.ts"], patch: PATCH, cut: false }),
    });
    await seedDay(stage.store, Date.now());
    await seedCases(stage, Date.now());
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  it("shows first what the agent does, then its work, and its moves last", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    await page.getByText("I will stream it in pages").first().waitFor();
    await page.locator(".path li").first().waitFor();
    expect((await headings(page)).map((text) => text.trim()).slice(1)).toEqual([
      "Changes",
      "Evidence",
      "Pictures of the app",
      "Transcript",
      "Cost",
      "How it got here",
    ]);
    expect(await page.locator(".headline").textContent()).toContain("Working");
    expect(await page.locator(".now").textContent()).toContain("Editing src/export.ts, pending for");
    const facts = await page.locator(".facts").textContent();
    for (const fact of [
      "Modelgpt-5",
      "Toolsread, edit",
      "Temperature0.2",
      "Labelsteam=core",
      "Tagsurgent, xxx",
    ])
      expect(facts).toContain(fact);
    expect(await page.locator(".budgets").textContent()).toContain("$1.31 of $20.00");
    expect(await page.locator(".path li").allTextContents()).toEqual([
      "created 1 min",
      "working 1 h 59 min",
      "waiting 48 min",
      "working",
    ]);
    await draw(page, "agent");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("unfolds small changes, and folds long ones until they are asked for", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    const diff = page.locator(".diff");
    await diff.getByText("2 files").waitFor();
    expect(await diff.locator("> p").textContent()).toContain("+91 −1");
    await diff.getByText("+new").waitFor();
    expect(await diff.locator("pre").count()).toBe(1);
    await diff.locator("summary").filter({ hasText: "src/long.ts" }).click();
    expect(await diff.locator("pre").nth(1).locator(".added").count()).toBe(90);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows what Flotilla ran with its exit code, the checks and the reviews, and their output when it is asked for", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    const evidence = page.locator("section[aria-labelledby=evidence]");
    const first = evidence.locator("li").first();
    await first.getByText("exit 0").waitFor();
    expect(await first.textContent()).toContain("npm test -- export 5.3 s");
    await first.locator("summary").click();
    await first.getByText("12 tests passed").waitFor();
    expect(await evidence.getByText("the base branch fails in the same way").count()).toBe(1);
    await evidence.locator("summary").filter({ hasText: "changes requested" }).click();
    await evidence.getByText("A test is missing.").waitFor();
    await evidence.getByText("src/export.ts:3").waitFor();
    expect(await evidence.getByText("exit 1").isVisible()).toBe(false);
    await open(page, "3 earlier results");
    await evidence.getByText("exit 1", { exact: true }).waitFor();
    await evidence.locator("summary").filter({ hasText: "reused npm ci" }).click();
    await evidence.getByText("Not run: `node_modules` is reused").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows each call as a line that people read, and its input and output only when it is opened", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    const call = page.locator(".transcript .tool").first();
    await call.waitFor();
    expect((await call.locator("summary").textContent())?.replaceAll(/\s+/g, " ").trim()).toBe(
      "ran npm test -- export 5.3 s",
    );
    expect(await page.locator(".transcript").textContent()).not.toContain("{");
    await call.locator("summary").click();
    expect(await call.getByLabel("Input").textContent()).toBe("npm test -- export");
    await call.getByLabel("Output").getByText("The export builds").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows the latest entries of a long transcript, and the earlier ones when they are asked for", async () => {
    const other = await openStage();
    const { working } = await seedDay(other.store, Date.now());
    for (let step = 0; step < 40; step += 1)
      await other.store.runEvents.add({
        at: Date.now(),
        agentId: working.id,
        repositoryId: 7,
        issue: 41,
        event: {
          type: "tool:start",
          data: { call: `s${step}`, tool: "view", input: `{"path":"${step}.ts"}` },
        },
      });
    const { page, context, faults } = await watch(browser, other.url, AGENT);
    await page.getByText("39.ts").waitFor();
    expect(await page.locator(".transcript li").count()).toBe(20);
    await page.getByRole("button", { name: "Show the 24 earlier entries" }).click();
    expect(await page.locator(".transcript li").count()).toBe(44);
    expect(faults).toEqual([]);
    await context.close();
    await other.close();
  });

  it("tells the history in sentences, each transition only below, and what failed on GitHub at once", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    await page.getByText("GitHub answered 403").waitFor();
    await open(page, "History");
    await page.getByText("Stopped to wait for another issue by alice: #33: Two migrations").waitFor();
    await page.getByText("Continued by alice: #33 was closed").waitFor();
    expect(await page.getByText("created → active").isVisible()).toBe(false);
    await open(page, "All 7 transitions");
    await page.getByText("created → active").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("gives the commands and the handoff with which a person continues, and copies them", async () => {
    const { page, context, faults } = await watch(browser, stage.url, AGENT);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("summary").filter({ hasText: "Continue locally" }).press("Enter");
    const commands = await page.getByLabel("Commands").textContent();
    expect(commands).toContain("git switch flotilla/feat-dev/issue-41");
    await page.getByRole("button", { name: "Copy the commands" }).press("Enter");
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(commands);
    // As in a browser that offers no clipboard to a page without HTTPS.
    await page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })");
    await page.getByRole("button", { name: "Copy the handoff" }).press("Enter");
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toContain("# Continue the work on acme/shop#41");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Copy the handoff");
    expect(await page.locator("body > textarea").count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("has at its top what is asked of a person, with the buttons for it", async () => {
    const { page, context, faults } = await watch(browser, stage.url, pageOf(44));
    await page.locator(".headline").getByText("Waiting for a person's approval").waitFor();
    expect((await headings(page))[1]).toBe("What is asked of you");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect
      .poll(() => acts)
      .toEqual([expect.stringMatching(/^\/approvals\/decide .*"verdict":"approve"/)]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("offers to resume an agent that is paused, and no second pause", async () => {
    const { page, context, faults } = await watch(browser, stage.url, pageOf(64));
    await page.getByText("Paused, because somebody else pushed to its branch.").waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says that an agent is not there, without pretending that the connection is lost", async () => {
    const { page, context } = await watch(browser, stage.url, pageOf(999));
    await page.getByRole("heading", { name: "No such agent" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.getByText("not connected").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "See all agents" }).click();
    await page.getByRole("heading", { name: "Work", level: 1 }).waitFor();
    await context.close();
  });

  it("says that nothing is stored any more of an agent that ended long ago", async () => {
    const { page, context, faults } = await watch(browser, stage.url, pageOf(65));
    await page.getByText("Nothing is stored any more of what it said and did.").waitFor();
    expect(await page.locator(".about").textContent()).toContain("Ended 80 d ago");
    expect(await headings(page)).not.toContain("Evidence");
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ...CASES.map(({ issue, agent, says }) => [says, pageOf(issue, agent.role)] as const),
    ["Needs a person", pageOf(33)] as const,
    ["Waiting for @alice's answer", pageOf(36)] as const,
  ])("says of an agent: %s; without a fault of accessibility, and beside nothing", async (says, path) => {
    const { page, context, faults } = await watch(browser, stage.url, path);
    await page.locator(".headline").getByText(says, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "How it got here" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    for (const part of ["History", "Decisions", "Actions on GitHub"]) await open(page, part);
    for (const { width, colours } of LOOKS) {
      await page.setViewportSize({ width, height: 812 });
      await page.emulateMedia({ colorScheme: colours });
      expect({ width, found: await violations(page) }).toEqual({ width, found: [] });
      expect({ width, wider: await sideways(page) }).toEqual({ width, wider: 0 });
      if (process.env["FLOTILLA_TESTS_SHOTS"] !== undefined)
        await page.screenshot({
          path: `${process.env["FLOTILLA_TESTS_SHOTS"]}/agent-${path.replace(/^.*3A/, "")}-${width}.png`,
          fullPage: true,
        });
    }
    expect(await page.locator("main").textContent()).not.toMatch(/\b[A-Z]{5,}\b/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("is short: two screens at a desk and four on a phone, with all that a day's work brings", async () => {
    const { page, context } = await watch(browser, stage.url, AGENT);
    await page.getByText("GitHub answered 403").waitFor();
    await page.locator(".transcript li").first().waitFor();
    const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
    expect(await height()).toBeLessThan(2000);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await height()).toBeLessThan(3200);
    await context.close();
  });

  it("stays as short when there is much of everything, and has the rest behind buttons and folds", async () => {
    const files = Array.from({ length: 60 }, (_, at) => `src/${at}.ts`);
    const other = await openStage({ diff: async () => ({ files, patch: "", cut: true }) });
    const { working } = await seedDay(other.store, Date.now());
    await seedMuch(other.store, working, Date.now());
    const { page, context, faults } = await watch(browser, other.url, AGENT);
    await page.getByText("35 more").waitFor();
    await page.getByRole("button", { name: "Show 40 more files" }).waitFor();
    await page.getByRole("button", { name: "Show all of it" }).last().waitFor();
    await page.getByText("31 successful checks").waitFor();
    await page.getByText("20 earlier reviews").waitFor();
    const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
    expect(await height()).toBeLessThan(3200);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await height()).toBeLessThan(5000);
    expect(await sideways(page)).toBe(0);
    await page.getByRole("button", { name: "Show 40 more files" }).click();
    expect(await page.locator(".diff details").count()).toBe(60);
    const said = page.locator(".transcript .said").last();
    expect((await said.textContent())?.length).toBeLessThan(700);
    await said.getByRole("button").click();
    expect((await said.textContent())?.length).toBeGreaterThan(4000);
    expect(faults).toEqual([]);
    await context.close();
    await other.close();
  });
});
