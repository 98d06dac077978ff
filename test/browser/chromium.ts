import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe } from "vitest";

const PATH = process.env["FLOTILLA_TESTS_BROWSER"] ?? "/usr/bin/chromium";

/**
 * For tests in a real browser: where Debian's chromium is not installed they are skipped by name, but where
 * FLOTILLA_TESTS_NEED_BROWSER says that it must be there, as CI does, they fail.
 */
export const describeInBrowser =
  existsSync(PATH) || process.env["FLOTILLA_TESTS_NEED_BROWSER"] === "1" ? describe : describe.skip;

/** One for all tests of a file. Its own sandbox needs a user that is not root; it sees nothing but our own pages. */
export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: PATH, args });
}
