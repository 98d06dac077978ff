import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withSources } from "./sources-in-docs.ts";

test("docs/lifecycles.md has the words of each source and where they disagree, as the suites have them", async () => {
  const text = await readFile("docs/lifecycles.md", "utf8");
  await expect(withSources(text)).toMatchFileSnapshot("../../docs/lifecycles.md");
});

test("what stands before the words is kept, and what stood after them is renewed", () => {
  const once = withSources("# Lifecycles\n\nBy hand.\n");
  expect(once).toMatch(/^# Lifecycles\n\nBy hand\.\n\n## The words of the sources\n/);
  expect(withSources(`${once}old\n`)).toBe(once);
  for (const number of ["000", "001", "002", "003", "004"])
    expect(once).toContain(`### Document ${number}: `);
});
