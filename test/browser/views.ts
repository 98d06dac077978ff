import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { TOKEN } from "./stage.ts";

export const AGENT = "/agents/acme%2Fshop%3Afeat-dev-issue-41";

/** Every view, and what stands on it once it is drawn. */
export const VIEWS = [
  ["/", "Waiting for a person"],
  [AGENT, "How it got here"],
  ["/work", "Work"],
  ["/merge-queue", "Approved"],
  ["/goals", "Goals"],
  ["/costs", "Spent by day"],
  ["/failures", "Actions on GitHub and git"],
  ["/schedules", "Schedules"],
  ["/people", "Who did what"],
  ["/settings", "Settings"],
  ["/repositories/acme/shop", "The last 30 days"],
  ["/goals/acme/shop/28", "The last 30 days"],
] as const;

/** A page, and what went wrong on it: what a script of others would do, too. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page and of its console, dialogs, and requests that go elsewhere. */
  readonly faults: readonly string[];
}

interface Looks {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** False to come without a session. */
  readonly signedIn?: boolean;
}

/** Opens a path as a signed-in operator sees it. */
export async function watch(
  browser: Browser,
  url: string,
  path: string,
  looks: Looks = {},
): Promise<Watched> {
  const { width = 1280, height = 800, dark = false, signedIn = true } = looks;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (said) => {
    if (said.type() === "error") faults.push(`console: ${said.text()}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`)) faults.push(`request: ${request.url()}`);
  });
  await page.goto(`${url}${path}${signedIn ? `#token=${encodeURIComponent(TOKEN)}` : ""}`);
  return { page, context, faults };
}

/** What the accessibility check finds, as `rule: where`. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's own tools: the page's policy lets no script in.
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + " " + failureSummary)))`,
  );
  return Array.isArray(found) ? found.map(String) : ["axe did not answer"];
}

/** How much wider the content is than the window, in pixels. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** The pictures of the documents, drawn again where FLOTILLA_TESTS_DRAW is 1. */
export async function draw(page: Page, name: string): Promise<void> {
  if (process.env["FLOTILLA_TESTS_DRAW"] !== "1") return;
  await page.screenshot({ path: new URL(`../../docs/images/${name}.png`, import.meta.url).pathname });
}
