import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerText } from "../../../src/domain/mcp/answer-text.ts";
import { offerOf } from "../../../src/domain/mcp/offered-tool.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "../sandbox/bubblewrap-here.ts";
import { someServers } from "./some-servers.ts";

/** Debian's chromium itself: the script in front of it reads files that no sandbox shows. */
const CHROMIUM = "/usr/lib/chromium/chromium";
const describeWithChromium =
  existsSync(CHROMIUM) || process.env["FLOTILLA_TESTS_NEED_BROWSER"] === "1" ? describe : describe.skip;

const PACKAGE = dirname(createRequire(import.meta.url).resolve("@playwright/mcp/package.json"));
const MODULES = join(PACKAGE, "../..");
const TOOLS = ["browser_navigate", "browser_snapshot", "browser_click", "browser_type"];
const PAGE = "data:text/html,<title>Desk</title><h1>Hello</h1><button>Go</button>";

describeConfined("in the sandbox", () => {
  describeWithChromium("with Debian's chromium", () => {
    test("Playwright's server opens a page and says what is on it, as docs/mcp-servers.md shows", async () => {
      const chromium = ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM];
      const servers = someServers(
        {
          command: [process.execPath, join(PACKAGE, "cli.js"), ...chromium],
          env: {},
          hosts: [],
          readable: [MODULES],
          tools: TOOLS,
        },
        realClock,
        { runner: confinedRunner(realClock) },
      );
      const connection = await servers.open("desk", `mcp-playwright-${Math.random()}`);
      onTestFinished(() => connection.close());
      const offer = offerOf([{ name: "desk", allowed: TOOLS, listed: connection.tools }]);
      expect(offer.tools.map(({ tool }) => tool)).toEqual(TOOLS);
      expect(offer.leftOut).toEqual([]);
      const { signal } = new AbortController();
      expect(await connection.call("browser_navigate", { url: PAGE }, signal)).toMatchObject({ ok: true });
      const answer = await connection.call("browser_snapshot", {}, signal);
      expect(answerText("desk", answer)).toMatch(/heading "Hello"[\s\S]*button "Go"/);
    }, 120_000);
  });
});
