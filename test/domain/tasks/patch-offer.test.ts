import { expect, it } from "vitest";
import { MOST_PATCH, patchOffer } from "../../../src/domain/tasks/patch-offer.ts";

const offered = { role: "bug-fix", files: ["a.md"], patch: "-one\n+two\n", onto: "c".repeat(40) };

it("shows the patch folded, and how to take it", () => {
  const text = patchOffer(offered);
  expect(text).toContain("**bug-fix** offers a change of 1 file to this pull request, on top of ccccccc.");
  expect(text).toContain("```diff\n-one\n+two\n```");
  expect(text).toContain("`git apply flotilla.patch`");
});

it("keeps an empty line of the file at its end, without which git takes it for damaged", () => {
  expect(patchOffer({ ...offered, patch: "+two\n \n" })).toContain("+two\n \n```");
});

it("lets nothing in the patch end its block", () => {
  const text = patchOffer({ ...offered, patch: "+````\n+@everyone </details>\n" });
  expect(text).toContain("`````diff\n+````\n+@everyone </details>\n`````");
});

it("says where a patch is that is too long for a comment, and shows none of it", () => {
  const text = patchOffer({ ...offered, files: ["a.md", "b.md"], patch: `+${"x".repeat(MOST_PATCH)}` });
  expect(text).toContain("a change of 2 files");
  expect(text).toContain("too long for a comment");
  expect(text).not.toContain("xxx");
});

it("is nothing where nothing was changed", () => {
  expect(patchOffer({ ...offered, files: [], patch: "" })).toBeNull();
});
