import { describe, expect, it } from "vitest";
import { type CodeOwners, codeOwners, ownersOf } from "../../../src/domain/merge-queue/code-owners.ts";

const rulesOf = (text: string): Exclude<CodeOwners, string> => {
  const found = codeOwners(text);
  if (found === "too_long") throw new Error("the file is too long");
  return found;
};
const owned = (text: string, ...paths: string[]) => {
  const found = ownersOf(paths, rulesOf(text));
  return found === "too_long" ? found : Object.fromEntries(found);
};

describe("the owners of files", () => {
  it("are those of the last rule that fits", () => {
    const text = "* @everyone\n/docs/ @writer # they know\n*.ts @coder @acme/core\n";
    expect(owned(text, "a.go", "docs/a/b.md", "docs/a.ts", "x/docs/c.md")).toEqual({
      "a.go": ["@everyone"],
      "docs/a/b.md": ["@writer"],
      "docs/a.ts": ["@coder", "@acme/core"],
      "x/docs/c.md": ["@everyone"],
    });
  });

  it.each([
    ["apps/ @o", "apps/a.ts", true],
    ["apps/ @o", "x/apps/y/a.ts", true],
    ["/build/logs/ @o", "x/build/logs/a", false],
    ["docs/* @o", "docs/a.md", true],
    ["docs/* @o", "docs/b/a.md", false],
    ["/apps/github @o", "apps/github/a/b.ts", true],
    ["**/logs @o", "deep/down/logs/a.txt", true],
    ["a\\ b.txt @o", "a b.txt", true],
    ["/ @o", "anything/at/all", true],
  ])("fit by `%s`: %s", (text, path, fits) => {
    expect(Object.keys(owned(text, path))).toEqual(fits ? [path] : []);
  });

  it("are none where the last rule names none", () => {
    expect(owned("* @o\n/generated/\n", "generated/a.ts", "a.ts")).toEqual({ "a.ts": ["@o"] });
  });

  it("are as if a faulty line were not there, as on GitHub", () => {
    const text = "* @o\n!a.ts @x\n[ab].ts @y\n# @z\na.ts nobody\n\u0000\n*.ts @ok mail@example.com\n";
    expect(owned(text, "a.ts", "b.go")).toEqual({
      "a.ts": ["@ok", "mail@example.com"],
      "b.go": ["@o"],
    });
  });

  it("are not looked up in a file with more rules than Flotilla applies", () => {
    expect(codeOwners("*.ts @o\n".repeat(2001))).toBe("too_long");
    expect(codeOwners("*.ts @o\n".repeat(2000))).toHaveLength(2000);
  });

  it("are not looked up where that would take long, whatever the patterns and paths", () => {
    const rules = rulesOf(`${"*a".repeat(60)}b @o\n`.repeat(200));
    const paths = Array.from({ length: 50 }, (_, index) => `${"a".repeat(200)}${index}`);
    expect(ownersOf(paths, rules)).toBe("too_long");
    expect(ownersOf(paths.slice(0, 5), rules)).toEqual(new Map());
  });
});
