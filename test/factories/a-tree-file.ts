import type { TreeFile } from "../../src/domain/ports/worktrees.ts";

export function aTreeFile(fields: Partial<TreeFile> = {}): TreeFile {
  const path = fields.path ?? "AGENTS.md";
  return { path, kind: "file", blob: `blob of ${path}`, bytes: 10, ...fields };
}
