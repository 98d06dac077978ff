import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { OPERATOR_FILES, type OperatorFile } from "../domain/breakers/operator-file.ts";
import type { Log } from "../domain/ports/log.ts";
import type { OperatorFiles } from "../domain/ports/operator-files.ts";

/**
 * Creates access to the operator's files in the data directory. A link, a directory and a file of another user count as
 * missing: root's counts, since root can do everything else, too. Agents cannot create one where they are confined: no
 * sandbox mounts the directory. A file is there since its last change of any kind (ctime), because a file that is moved
 * back into the directory keeps the time of its last write.
 */
export function createOperatorFiles(
  directory: string,
  log: Log,
  us: number | undefined = process.getuid?.(),
): OperatorFiles {
  const dataDir = resolve(directory);
  const ignored = new Set<OperatorFile>();
  const since = async (file: OperatorFile): Promise<number | null> => {
    const path = join(dataDir, file);
    const found = await lstat(path).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    });
    const isSwitch = found?.isFile() === true && (us === undefined || [us, 0].includes(found.uid));
    if (found === null || isSwitch) ignored.delete(file);
    else if (!ignored.has(file)) {
      ignored.add(file);
      log.warn(
        { path, owner: found.uid, us },
        "a file in the data directory is ignored: it must be a plain file of the user that Flotilla runs as",
      );
    }
    return found !== null && isSwitch ? Math.floor(found.ctimeMs) : null;
  };
  return {
    present: async () => {
      const found = await Promise.all(
        OPERATOR_FILES.map(async (file) => ({ file, since: await since(file) })),
      );
      return new Map(found.flatMap(({ file, since: at }) => (at === null ? [] : [[file, at] as const])));
    },
  };
}
