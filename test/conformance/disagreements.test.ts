import { expect, it } from "vitest";
import { DISAGREEMENTS, type DocumentNumber, rowsOf } from "./disagreements.ts";

const DOCUMENTS: readonly DocumentNumber[] = ["000", "001", "002", "003", "004"];

it("each disagreement of the sources is shown by the suite of at least one document", () => {
  expect(new Set(DOCUMENTS.flatMap(rowsOf))).toEqual(new Set(Object.keys(DISAGREEMENTS)));
});

it("each question is asked once", () => {
  const questions = Object.values(DISAGREEMENTS).map(({ question }) => question);
  expect(new Set(questions).size).toBe(questions.length);
});
