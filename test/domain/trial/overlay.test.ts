import { expect, it } from "vitest";
import { type Overlaid, overlaid, settingPaths, testPaths } from "../../../src/domain/trial/overlay.ts";

const BEFORE = ["package.json", "package-lock.json", "src/a.js", "test/a.test.js", "test/fixtures/x.json"];
const over = (changed: Partial<Overlaid>) =>
  overlaid({ real: [], own: [], before: BEFORE, settings: new Map(), ...changed });
const packageJson = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });

it("knows tests by their names, and by where tests lay before", () => {
  expect(testPaths(["src/a.js", "src/b.test.js", "test/fixtures/y.json", "docs/x.md"], BEFORE)).toEqual([
    "src/b.test.js",
    "test/fixtures/y.json",
  ]);
  // Nothing lay there before, so it may be a part of the product.
  expect(testPaths(["e2e/run.js"], BEFORE)).toEqual([]);
});

it("names the settings whose texts matter", () => {
  expect(settingPaths(["package.json", "src/a.js", "Makefile"])).toEqual(["package.json", "Makefile"]);
});

it("lays the real tests over a result, and in place of the agent's own", () => {
  expect(
    over({
      real: ["src/a.js", "test/a.test.js"],
      own: ["src/a.js", "test/mine.test.js", "vitest.config.ts", "docs/a.md"],
    }),
  ).toEqual(["test/a.test.js", "test/mine.test.js", "vitest.config.ts"]);
});

it("brings the real packages where the agent changed none", () => {
  const real = ["package.json", "package-lock.json", "tools/package.json", "test/a.test.js"];
  expect(over({ real, own: ["src/a.js"] })).toEqual(real.toSorted());
  // Those of a directory belong together.
  expect(over({ real, own: ["package.json"] })).toEqual(["test/a.test.js", "tools/package.json"]);
});

it("brings the real settings where the agent changed how tests run", () => {
  const settings = new Map([
    ["package.json", { own: packageJson({ test: "true" }), real: packageJson({ test: "node --test" }) }],
    ["Makefile", { own: undefined, real: "test:\n\tnode --test\n" }],
  ]);
  expect(over({ own: ["package.json", "package-lock.json", "Makefile"], settings })).toEqual([
    "Makefile",
    "package-lock.json",
    "package.json",
  ]);
  const same = packageJson({ test: "node --test" });
  const added = packageJson({ test: "node --test" }, { dependencies: { left: "1.0.0" } });
  expect(
    over({ own: ["package.json"], settings: new Map([["package.json", { own: added, real: same }]]) }),
  ).toEqual([]);
  expect(over({ own: ["Makefile"] })).toEqual([]);
});
