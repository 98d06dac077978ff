import type { Browser, Told } from "./browser.ts";

/** A page, and the size in which it is shown, in pixels. */
export interface Wanted {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export type Shot = { readonly png: string } | { readonly fault: string };

/** What one page may use. */
export interface Limits {
  /** Until it answers, and then until it is loaded. */
  readonly loadMs: number;
  /** For what it goes on loading, such as events that never end. */
  readonly settleMs: number;
  readonly drawMs: number;
  /** Bytes of its picture. */
  readonly most: number;
}

/** More dialogs than a person would close. */
const MOST_DIALOGS = 20;

/** Ends what moves by itself, and hides the cursor in fields. */
const STAND_STILL = `(async () => {
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { transition: none !important; caret-color: transparent !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  for (const animation of document.getAnimations())
    if (Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))) animation.finish();
    else animation.cancel();
  await document.fonts.ready;
})()`;

/** Opens one page, with no memory of others, and returns its picture. Rejects where the browser itself fails. */
export async function shootPage(browser: Browser, page: Wanted, limits: Limits): Promise<Shot> {
  const { browserContextId } = await browser.ask("Target.createBrowserContext");
  try {
    await browser.ask("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
    const { targetId } = await browser.ask("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await browser.ask("Target.attachToTarget", { targetId, flatten: true });
    return await shoot(new Page(browser, String(sessionId)), page, limits);
  } finally {
    // A page that hangs must not keep the others from being opened.
    await within(limits.drawMs, browser.ask("Target.disposeBrowserContext", { browserContextId })).catch(
      () => {},
    );
  }
}

async function shoot(page: Page, { url, width, height }: Wanted, limits: Limits): Promise<Shot> {
  const { loadMs, settleMs, drawMs, most } = limits;
  await page.ask("Page.enable");
  await page.ask("Inspector.enable");
  await page.ask("Page.setLifecycleEventsEnabled", { enabled: true });
  await page.ask("Emulation.setDeviceMetricsOverride", {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await page.ask("Emulation.setTimezoneOverride", { timezoneId: "UTC" });
  await page.ask("Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-reduced-motion", value: "reduce" },
      { name: "prefers-color-scheme", value: "light" },
    ],
  });
  const loaded = page.lifecycle("load");
  const settled = page.lifecycle("networkIdle");
  const opened = await within(loadMs, page.ask("Page.navigate", { url }));
  if (opened === LATE) return { fault: `it did not answer within ${loadMs / 1000} s` };
  if (typeof opened["errorText"] === "string")
    return { fault: `it cannot be opened: ${opened["errorText"]}` };
  if ((await within(loadMs, loaded)) === LATE)
    return { fault: page.fault ?? `it did not load within ${loadMs / 1000} s` };
  await within(settleMs, settled);
  const drawn = await within(drawMs, draw(page, settleMs));
  if (drawn === LATE) return { fault: page.fault ?? `it could not be drawn within ${drawMs / 1000} s` };
  if ("fault" in drawn) return drawn;
  const bytes = (drawn.png.length * 3) / 4;
  return bytes <= most ? drawn : { fault: `its picture has more than ${most / 1024 / 1024} MiB` };
}

async function draw(page: Page, settleMs: number): Promise<Shot> {
  // If the page reloads meanwhile, it is photographed as it is.
  await within(settleMs, page.ask("Runtime.evaluate", { expression: STAND_STILL, awaitPromise: true })).catch(
    () => {},
  );
  const { frameTree } = await page.ask("Page.getFrameTree");
  const elsewhere = placeOutside(frameTree);
  if (elsewhere !== null) return { fault: `it leads to ${elsewhere}, which cannot be opened here` };
  const { data } = await page.ask("Page.captureScreenshot", { format: "png" });
  return page.fault === null ? { png: String(data) } : { fault: page.fault };
}

/** Returns the address of a page that is not the app's; null for one of this machine, which is the sandbox. */
function placeOutside(tree: unknown): string | null {
  const { frame }: { frame: { url?: string; unreachableUrl?: string } } = JSON.parse(JSON.stringify(tree));
  const { url = "", unreachableUrl } = frame;
  if (unreachableUrl !== undefined) return unreachableUrl;
  const { protocol, hostname } = new URL(url);
  const isHere = /^https?:$/.test(protocol) && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return isHere ? null : url;
}

/** One page of the browser. It answers dialogs, which would keep it from being drawn. */
class Page {
  /** Why no picture of it can be taken any more. */
  fault: string | null = null;
  readonly #browser: Browser;
  readonly #session: string;
  readonly #stages = new Map<string, () => void>();
  #dialogs = 0;

  constructor(browser: Browser, session: string) {
    this.#browser = browser;
    this.#session = session;
    browser.listen((told) => {
      if (told.sessionId === session) this.#hear(told);
    });
  }

  ask(method: string, params: object = {}) {
    return this.#browser.ask(method, params, this.#session);
  }

  /** Resolves when the page next reaches the stage. */
  lifecycle(stage: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stages.set(stage, resolve);
    return promise;
  }

  #hear({ method, params }: Told): void {
    if (method === "Page.lifecycleEvent") this.#stages.get(String(params["name"]))?.();
    if (method === "Inspector.targetCrashed")
      this.fault = "it ended the browser's process, perhaps for want of memory";
    if (method === "Page.javascriptDialogOpening") this.#closeDialog(params["type"] === "beforeunload");
  }

  #closeDialog(accept: boolean): void {
    this.#dialogs += 1;
    if (this.#dialogs > MOST_DIALOGS) this.fault = "it opens one dialog after the other";
    this.ask("Page.handleJavaScriptDialog", { accept }).catch(() => {});
  }
}

const LATE = Symbol("late");

async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(resolve, ms, LATE);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
