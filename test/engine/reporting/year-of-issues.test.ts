import { expect, test } from "vitest";
import { yearOf } from "../year-of-issues.ts";

const MIB = 2 ** 20;

test("after a quarter of a year the database hardly grows: only the records of the year are added", async () => {
  const issues = 120;
  const months = await yearOf(issues);
  const sizes = months.map(({ file }) => Math.round((file / MIB) * 10) / 10);
  const [early = 0, late = 0] = [months[3]?.file, months.at(-1)?.file];
  // Issues a month, and what one of them adds to the file for good, in bytes.
  expect({ sizes, perIssue: (late - early) / (issues * (8 / 12)) }).toMatchObject({
    perIssue: expect.toSatisfy((bytes: number) => bytes < 40_000),
  });
});
