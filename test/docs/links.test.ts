import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { PAGES, readPage } from "./pages.ts";

/** What is wrong with each link that does not lead out of the repository. */
function broken(pages: typeof PAGES): readonly string[] {
  const known = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ path, links }) =>
    links.flatMap(({ line, target }) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", anchor] = target.split("#");
      const there = file === "" ? path : normalize(join(dirname(path), file));
      if (!existsSync(there)) return [`${path}:${line}: ${target} is not there`];
      const page = known.get(there);
      const lost = anchor !== undefined && page !== undefined && !page.anchors.has(anchor);
      return lost ? [`${path}:${line}: ${there} has no heading #${anchor}`] : [];
    }),
  );
}

test("every link between the pages leads to a file and a heading that are there", () => {
  expect(broken(PAGES)).toEqual([]);
});

test("a link to a file or a heading that is not there is found", () => {
  const text =
    "# One of `two`: 3\n\n[a](#one-of-two-3) [b](#two) [c](docs/gone.md) [d](https://example.com)\n";
  expect(broken([readPage("README.md", text)])).toEqual([
    "README.md:3: README.md has no heading #two",
    "README.md:3: docs/gone.md is not there",
  ]);
});

test("every page under docs/ is on its index, and the README leads to the index", () => {
  const index = PAGES.find(({ path }) => path === "docs/README.md");
  const listed = new Set(index?.links.map(({ target }) => join("docs", target.split("#")[0] ?? "")));
  const others = PAGES.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
  expect(others.filter((path) => path !== "docs/README.md" && !listed.has(path))).toEqual([]);
  const front = PAGES.find(({ path }) => path === "README.md");
  expect(front?.links.map(({ target }) => target)).toContain("docs/README.md");
});
