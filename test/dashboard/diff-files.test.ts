import { expect, it } from "vitest";
import { changesIn } from "../../src/dashboard/page/diff-files.ts";

const PATCH = `diff --git a/a.ts b/a.ts
index 1111111..2222222 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,3 @@
 same
-old
--- old
+new
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/logo.png differ
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
index 4444444..0000000
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-diff --git is only text here
`;

it("splits a patch into its files, with the lines that came and went and what else happened", () => {
  expect(changesIn(PATCH, ["a.ts", "logo.png", "gone.ts"])).toEqual([
    {
      path: "a.ts",
      added: 1,
      removed: 2,
      what: "",
      lines: ["@@ -1,3 +1,3 @@", " same", "-old", "--- old", "+new"],
    },
    { path: "logo.png", added: 0, removed: 0, what: "new, binary", lines: [] },
    {
      path: "gone.ts",
      added: 0,
      removed: 1,
      what: "deleted",
      lines: ["@@ -1 +0,0 @@", "-diff --git is only text here"],
    },
  ]);
});

it("names files whose patch was cut away", () => {
  expect(changesIn("", ["a.ts"])).toEqual([{ path: "a.ts", added: 0, removed: 0, what: "", lines: [] }]);
});
