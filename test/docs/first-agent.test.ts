import { afterAll, beforeAll, expect, test } from "vitest";
import { type Newcomer, setOut } from "./newcomer.ts";
import { PAGES } from "./pages.ts";
import { isAsShown, shownCommands } from "./shown-commands.ts";
import { harmless } from "./typed.ts";

const page = PAGES.find(({ path }) => path === "docs/first-agent.md");
const steps = page === undefined ? [] : shownCommands(page);

let newcomer: Newcomer;
beforeAll(async () => {
  newcomer = await setOut(page?.blocks.find(({ language }) => language === "yaml")?.text ?? "");
}, 180_000);
afterAll(() => newcomer.goHome(), 180_000);

test("a page is compared with what is printed, line by line", () => {
  expect(isAsShown(["a…c"], "abc\n")).toBe(true);
  expect(isAsShown(["…", "a"], "x\ny\na\n")).toBe(true);
  expect(isAsShown(["a", "…"], "a\n")).toBe(true);
  expect(isAsShown(["a"], "a\nb\n")).toBe(false);
  expect(isAsShown(["a…", "b"], "a\nc\nb\n")).toBe(false);
  expect(steps.length).toBeGreaterThan(12);
});

const HERE = { number: "acme/app#1", agent: "acme/app:bug-fix-issue-1" };

// In order: each step stands on those before it.
test.each(steps)("$where: $command", { timeout: 180_000 }, async ({ command, output }) => {
  const { code, printed } = await newcomer.types(command, (text) => isAsShown(output, text));
  expect(code === 0 ? "" : printed).toBe("");
  expect(isAsShown(output, printed) ? "" : printed).toBe("");
});

test.each(harmless(HERE))(
  "there every page's `flotilla %s` goes well",
  { timeout: 180_000 },
  async (args) => {
    const { code, printed } = await newcomer.types(`node src/main.ts ${args}`, () => true);
    expect(code === 0 ? "" : printed).toBe("");
  },
);

test("there are many of them", () => {
  expect(harmless(HERE).length).toBeGreaterThan(20);
});
