import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitHubSignIn } from "../../src/adapters/github/app/sign-in.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { stepped } from "../factories/run-events.ts";
import { describeInBrowser, openBrowser } from "./chromium.ts";
import { seedDay } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";
import { sideways, violations, watch } from "./views.ts";

describeInBrowser("signing in by GitHub in a browser", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-sign-in-"));
  let browser: Browser;
  let github: LocalGitHub;
  let stage: Stage;
  /** Another site than GitHub's for the browser, as it is for people: its cookies must come all the same. */
  let home: string;

  beforeAll(async () => {
    github = await startLocalGitHub({ directory, people: { alice: "read" } });
    const { app, origin: site, api: apiUrl } = github;
    const signIn = createGitHubSignIn({ ...app, site, apiUrl });
    stage = await openStage(
      { permission: async (_, { login }) => (login === "alice" ? "read" : "none") },
      signIn,
    );
    home = stage.url.replace("127.0.0.1", "localhost");
    github.setCallbacks([`${home}/sign-in/github/done`]);
    await seedDay(stage.store, Date.now());
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await stage.close();
    await github.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("leads over GitHub's page to what the person may read, and out again", async () => {
    const { page, context, faults } = await watch(browser, home, "/", { signedIn: false });
    const button = page.getByRole("link", { name: "Sign in with GitHub" });
    await button.waitFor();
    expect(await violations(page)).toEqual([]);
    await button.click();
    await page.getByRole("button", { name: "as alice" }).click();
    await page.getByText("@alice").waitFor();
    expect(page.url()).toBe(`${home}/`);
    await page.getByText("Drop the legacy price column").first().waitFor();
    // Who may only read is refused, and told so.
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("your permission in this repository is not enough").waitFor();
    const cookies = await context.cookies(home);
    await page.getByRole("button", { name: "Sign out" }).click();
    await button.waitFor();
    // The browser has the old cookie again, as a thief of it would.
    await context.addCookies(cookies);
    await page.reload();
    await button.waitFor();
    expect(await page.locator("#app").textContent()).not.toContain("legacy price");
    // What the console says of requests that were refused, or cut off as the page was left, is no fault of it.
    expect(faults.filter((fault) => /^(?:error|dialog): /.test(fault))).toEqual([]);
    await context.close();
  });

  it("makes a person's token, which a program can use at once, and ends it", async () => {
    const { page, context, faults } = await watch(browser, home, "/sign-in/github", { signedIn: false });
    await page.getByRole("button", { name: "as alice" }).click();
    await page.getByRole("link", { name: "Token", exact: true }).click();
    await page.getByRole("button", { name: "Make a token" }).click();
    const field = page.getByLabel("Your token, valid until");
    const token = await field.inputValue();
    await page.getByRole("status").getByText("it is not shown again").waitFor();
    const whoIs = () => fetch(`${stage.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await whoIs()).json()).toMatchObject({ viewer: { kind: "person", login: "alice" } });
    expect(await violations(page)).toEqual([]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sideways(page)).toBe(0);
    }
    await page.getByRole("button", { name: "End all my tokens" }).click();
    await page.getByText("All tokens that you made have ended.").waitFor();
    expect(await field.count()).toBe(0);
    expect((await whoIs()).status).toBe(401);
    expect(faults.filter((fault) => /^(?:error|dialog): /.test(fault))).toEqual([]);
    await context.close();
  });

  it("asks again who one is once the session is over, and shows nothing of before", async () => {
    const { page, context } = await watch(browser, stage.url, "/");
    await page.getByText("Drop the legacy price column").first().waitFor();
    await context.clearCookies();
    await stage.store.runEvents.add({
      at: Date.now(),
      agentId: null,
      repositoryId: 7,
      issue: 41,
      event: stepped(1),
    });
    await page.getByLabel("Token").waitFor();
    expect(await page.locator("#app").textContent()).not.toContain("legacy price");
    await context.close();
  });
});
