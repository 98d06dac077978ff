import { expect, test } from "vitest";
import { faultyFileComment } from "../../../src/domain/settings/repository-file-text.ts";

test("the comment on a faulty file has every fault as text, what holds now and what to do", () => {
  const text = faultyFileComment(["a: unknown key.", "b: `@alice` ```"], true);
  expect(text).toContain("````\na: unknown key.\nb: `@alice` ```\n````");
  expect(text).toContain("Its last version without a fault still applies.");
  expect(text).toContain("flotilla check --file .github/flotilla.yml");
  expect(faultyFileComment(["x"], false)).toContain("the operator's settings apply");
});
