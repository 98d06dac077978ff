import type { Tree } from "./fake-commits.ts";

/**
 * Sets `ours` to the changes of both sides since `base`, file by file. Returns the files that both changed, which
 * contain both texts.
 */
export function putOnTop(ours: Map<string, string>, base: Tree, theirs: Tree): readonly string[] {
  const conflicts: string[] = [];
  for (const path of new Set([...ours.keys(), ...base.keys(), ...theirs.keys()])) {
    const [mine, was, other] = [ours.get(path), base.get(path), theirs.get(path)];
    if (other === was || other === mine) continue;
    if (mine !== was) conflicts.push(path);
    const both = `<<<<<<<\n${other ?? ""}=======\n${mine ?? ""}>>>>>>>\n`;
    const text = mine === was ? other : both;
    if (text === undefined) ours.delete(path);
    else ours.set(path, text);
  }
  return conflicts;
}
