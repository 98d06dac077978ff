import { Browser } from "./browser.ts";
import { type Limits, shootPage, type Wanted } from "./shoot-page.ts";

/**
 * Runs inside the sandbox, beside the app: opens each page in a Chromium and prints its picture, a line of JSON for each:
 * `{"at", "png"}` in base64, or `{"at", "fault"}`. Argument: the plan, as JSON. The app runs as the same user, so nothing
 * that is printed here can be trusted to be more than what the app wants people to see.
 */
const plan: {
  /** Absolute path. */
  readonly chromium: string;
  /** A directory for the browser's own files, empty or missing. */
  readonly profile: string;
  readonly pages: readonly Wanted[];
  readonly limits: Limits;
} = JSON.parse(process.argv[2] ?? "");

/**
 * Chromium's own sandbox needs namespaces of its own, which are refused in here: what confines a page is what confines the
 * agent's own commands. The rest makes pictures of the same page alike.
 */
const ARGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-sandbox",
  `--user-data-dir=${plan.profile}`,
  "--disable-gpu",
  "--disable-extensions",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-breakpad",
  "--no-first-run",
  "--no-proxy-server",
  "--block-new-web-contents",
  "--deny-permission-prompts",
  "--mute-audio",
  "--hide-scrollbars",
  "--lang=en-US",
  "--force-color-profile=srgb",
  "--force-device-scale-factor=1",
  "--font-render-hinting=none",
  "--disable-lcd-text",
  "--blink-settings=imageAnimationPolicy=2",
];

const browser = new Browser(plan.chromium, ARGS, plan.profile);
for (const [at, page] of plan.pages.entries()) {
  const shot = await shootPage(browser, page, plan.limits).catch((error: unknown) => ({
    fault: error instanceof Error ? error.message : String(error),
  }));
  process.stdout.write(`${JSON.stringify({ at, ...shot })}\n`);
}
browser.kill();
