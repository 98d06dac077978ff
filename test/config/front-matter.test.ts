import { expect, it } from "vitest";
import { readFrontMatter } from "../../src/config/front-matter.ts";

it.each([
  [
    "its data and its body",
    "---\napplyTo: '**/*.ts'\n---\nUse tabs.\n",
    { applyTo: "**/*.ts" },
    "Use tabs.\n",
  ],
  ["lines of Windows", "\uFEFF---\r\na: [b]\r\n---\r\nText", { a: ["b"] }, "Text"],
  ["nothing after it", "---\na: 1\n---", { a: 1 }, ""],
  ["an empty one", "---\n---\nText", {}, "Text"],
  ["none", "Use tabs.\n---\na: 1\n---\n", null, "Use tabs.\n---\na: 1\n---\n"],
  ["one that does not end", "---\na: 1\n", null, "---\na: 1\n"],
  ["no mapping", "---\n- a\n---\nText", null, "Text"],
  ["faulty YAML", "---\na: [\n---\nText", null, "Text"],
  ["an alias", "---\na: &x [1]\nb: *x\n---\nText", null, "Text"],
  ["one that is too long", `---\na: ${"b".repeat(5000)}\n---\nText`, null, "Text"],
  ["one that is nested deliberately", `---\na: ${"[".repeat(4000)}\n---\nText`, null, "Text"],
])("a text of a repository is split into front matter and body: %s", (_, text, data, body) => {
  expect(readFrontMatter(text)).toEqual({ data, body });
});
