import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CRASH_MOMENTS, neverCrash } from "../../../src/domain/kernel/crash-points.ts";
import { crashPoints } from "../../../src/server/crash-points.ts";

const SOURCE = new URL("../../../src/", import.meta.url).pathname;

it("lists every moment at which the code can be told to crash, and each is met in one place, those of a runtime in each of them", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const met = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      [...readFileSync(join(SOURCE, file), "utf8").matchAll(/rashPoint\((?:"([^"]+)"|`([^`]+)`)\)/g)].map(
        ([, plain, template]) => plain ?? template ?? "",
      ),
    );
  // Of the ways to start an agent there are two: Copilot's SDK and ACP.
  const expected = ["effect:${row.kind}", "runtime:started", ...CRASH_MOMENTS];
  expect(met.toSorted()).toEqual(expected.toSorted());
});

it.each([undefined, ""])("dies nowhere when %j names the points", (named) => {
  const point = crashPoints(named);
  expect(point).toBe(neverCrash);
  for (const moment of CRASH_MOMENTS) point(moment);
});
