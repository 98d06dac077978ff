import { expect, it } from "vitest";
import { kindOfPath } from "../../../src/domain/merge-queue/risk-of-path.ts";
import { patternsOfTests, testPlaces } from "../../../src/domain/merge-queue/test-places.ts";

const pointsOf = (path: string, before: readonly string[]) =>
  kindOfPath(path, testPlaces([path], before)).points;

it.each([
  "src/cart.test.ts",
  "src/cart.spec.tsx",
  "e2e/login.cy.js",
  "lib/test_cart.py",
  "lib/cart_test.py",
  "shop/tests.py",
  "conftest.py",
  "cart_test.go",
  "lib/cart_spec.rb",
  "src/test/java/shop/CartTest.java",
  "Shop.Tests/CartTests.cs",
])("%s is a test by its name", (path) => {
  expect(pointsOf(path, [])).toBe(5);
});

it.each([
  "src/e2e/payload.ts",
  "lib/fixtures/payload.ts",
  "src/specs/payload.ts",
  "src/snapshots/payload.ts",
  "src/pages/__tests__/payload.tsx",
  "tests/payload.rs",
  "test/payload.js",
  "src/routes/test.ts",
  "src/test-drive.ts",
  "src/openapi.spec.yaml",
  "src/data/golden/model.bin",
  "src/main/java/shop/PriceTest.java",
  // A class of the product may have this name whole.
  "app/Models/Test.php",
  "src/Spec.cs",
])("%s is none by a name that product code may have too", (path) => {
  const elsewhere = ["src/cart.ts", "src/cart.test.ts", "src/e2e2/a.test.ts", "README.md"];
  expect(pointsOf(path, elsewhere)).toBe(15);
});

it.each([
  ["src/e2e/helper.ts", ["src/e2e/login.e2e.ts"]],
  ["src/e2e/pages/helper.ts", ["src/e2e/flows/login.spec.ts"]],
  ["test/fixtures/cart.ts", ["test/cart.test.ts"]],
  ["test/snapshots/cart.png", ["test/cart.test.ts"]],
  ["src/test/resources/cart.xml", ["src/test/java/shop/CartTest.java"]],
  // These runners take any name at the top of a package.
  ["test/cart.js", ["test/order.js"]],
  ["tests/cart.rs", ["tests/order.rs"]],
  ["packages/shop/test/cart.js", ["packages/shop/package.json", "packages/shop/test/order.js"]],
  // Go and others keep what tests read beside them.
  ["shop/testdata/cart.json", ["shop/cart_test.go"]],
  ["src/__snapshots__/cart.png", ["src/cart.test.ts"]],
])("%s lies where tests were", (path, before) => {
  expect(pointsOf(path, before)).toBe(5);
});

it.each([
  ["code below a directory of data", "src/fixtures/cart.ts", ["src/cart.test.ts"]],
  ["a directory without tests by their names", "src/e2e/cart.ts", ["src/e2e/order.ts"]],
  ["a directory that no package has at its top", "src/test/cart.ts", ["src/test/order.ts"]],
  [
    "a part of the product with tests beside its code",
    "src/snapshots/cart.ts",
    ["src/snapshots/store.test.ts"],
  ],
  ["another such part", "src/specs/cart.ts", ["src/specs/parse.test.ts"]],
  ["one that held no code", "tests/cart.ts", ["tests/README.md"]],
  ["data beside no test", "src/shop/fixtures/cart.json", ["src/cart.test.ts"]],
])("%s counts as product", (_, path, before) => {
  expect(pointsOf(path, before)).toBe(15);
});

it("looks at the directories whose names say tests, and beside them", () => {
  expect(patternsOfTests(["src/a.ts", "src/e2e/x/fixtures/a.ts", "test/[id]/fixtures/b.ts"])).toEqual([
    "src/e2e/**",
    "src/*",
    "src/e2e/x/fixtures/**",
    "src/e2e/x/*",
    "test/**",
    "*",
    "test/?id?/fixtures/**",
    "test/?id?/*",
  ]);
  expect(patternsOfTests(["src/a.test.ts", "README.md"])).toEqual([]);
});
