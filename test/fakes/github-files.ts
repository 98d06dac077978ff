import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import type { DirectoryEntry } from "../../src/domain/ports/github-changes.ts";
import type { FakeRepository } from "./github-world.ts";

type Faked = Pick<GitHub, "directory" | "file">;

type Failing = <Args extends unknown[], Result>(
  method: keyof Faked,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Returns a short word that differs for different contents. */
export function shaOf(text: string): string {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return `sha-${sum}`;
}

/** Creates the files of the fake GitHub's default branches. */
export function createFakeFiles(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly failing: Failing;
}): Faked {
  const { at, failing } = options;
  return {
    directory: failing("directory", (ref: RepositoryRef, path: string): readonly DirectoryEntry[] | null => {
      const prefix = path === "" ? "" : `${path}/`;
      const below = [...at(ref).files].filter(([name]) => name.startsWith(prefix));
      if (below.length === 0) return null;
      const named = Map.groupBy(below, ([name]) => name.slice(prefix.length).split("/")[0] ?? "");
      return [...named].map(([name, all]) => {
        const own = all.find(([whole]) => whole === `${prefix}${name}`);
        const sha = shaOf(all.map(([whole, text]) => `${whole} ${text}`).join("\n"));
        if (own === undefined) return { name, type: "dir", sha, bytes: 0 };
        const link = at(ref).links.has(own[0]);
        return {
          name,
          type: link ? "symlink" : "file",
          sha: link ? sha : shaOf(own[1]),
          bytes: Buffer.byteLength(own[1]),
        };
      });
    }),
    file: failing("file", (ref: RepositoryRef, path: string) => {
      const text = at(ref).files.get(path);
      return text === undefined ? null : { sha: shaOf(text), text };
    }),
  };
}
