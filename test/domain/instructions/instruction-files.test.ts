import { describe, expect, it } from "vitest";
import { protectedFiles } from "../../../src/domain/evidence/protected-paths.ts";
import {
  INSTRUCTION_PATTERNS,
  instructionFiles,
  nearestFiles,
} from "../../../src/domain/instructions/instruction-files.ts";
import { aTreeFile } from "../../factories/a-tree-file.ts";

const PATHS = [
  ".github/AGENTS.md",
  ".github/copilot-instructions.md",
  ".github/instructions/deep/python.instructions.md",
  ".github/instructions/ts.instructions.md",
  "AGENTS.md",
  "CLAUDE.md",
  "packages/api/AGENTS.md",
  "packages/api/CLAUDE.md",
  "packages/api/src/deep/GEMINI.md",
];

describe("files of instructions", () => {
  const files = instructionFiles(PATHS.map((path) => aTreeFile({ path })));
  const nearest = (path: string) => nearestFiles(files.nested, path).map((file) => file.path);

  it("are for all paths at the top, in the order in which they are shown", () => {
    expect(files.forAll.map(({ path }) => path)).toEqual([
      "AGENTS.md",
      "CLAUDE.md",
      ".github/copilot-instructions.md",
    ]);
  });

  it("are for the paths that they name below .github/instructions", () => {
    expect(files.scoped.map(({ path }) => path)).toEqual([
      ".github/instructions/deep/python.instructions.md",
      ".github/instructions/ts.instructions.md",
    ]);
  });

  it.each([
    ["packages/api", ["packages/api/AGENTS.md", "packages/api/CLAUDE.md"]],
    ["packages/api/src/a.ts", ["packages/api/AGENTS.md", "packages/api/CLAUDE.md"]],
    ["packages/api/src/deep/b/c.ts", ["packages/api/src/deep/GEMINI.md"]],
    [".github/workflows/ci.yml", [".github/AGENTS.md"]],
    ["packages/apis/a.ts", []],
    ["packages", []],
    ["README.md", []],
  ])("of the nearest directory are for %s", (path, expected) => {
    expect(nearest(path)).toEqual(expected);
  });

  it("are all protected, also where a link takes the place of one", () => {
    const others = ["docs/AGENTS.md.txt", "src/agents.ts", ".github/instructions/notes.md"];
    expect(protectedFiles([...PATHS, ...others], INSTRUCTION_PATTERNS)).toEqual(PATHS);
    expect(protectedFiles([".github/instructions"], INSTRUCTION_PATTERNS)).toEqual([".github/instructions"]);
  });
});
