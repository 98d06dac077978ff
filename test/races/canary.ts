import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";

/** Stands in each of its files; whatever holds it afterwards has read one. */
export const CANARY = "a canary that nobody may read";

export interface Canary {
  readonly directory: string;
  /** What is not as it was: read, written, deleted, made or given another mode. Empty when nothing was touched. */
  touched(): Promise<readonly string[]>;
}

const LONG_AGO = new Date("2001-01-01");
const LATER = new Date("2035-01-01");

/** A directory as a host has it: files, a directory with files, one that its owner alone may read, a link. */
export async function layCanary(directory: string): Promise<Canary> {
  await mkdir(join(directory, "kept", "deep"), { recursive: true });
  await mkdir(join(directory, "closed"));
  for (const [path, mode] of [
    ["file.txt", 0o644],
    ["secret.txt", 0o400],
    ["pipe", 0o600],
    ["kept/a.txt", 0o600],
    ["kept/deep/b.txt", 0o644],
    ["closed/c.txt", 0o600],
  ] as const)
    await writeFile(join(directory, path), `${CANARY}\n`, { mode });
  await chmod(join(directory, "closed"), 0o711);
  await symlink("file.txt", join(directory, "link"));
  const before = await look(directory, "");
  await age(directory);
  return {
    directory,
    async touched() {
      const found = [...(await opened(directory, "")), ...differences(before, await look(directory, ""))];
      await age(directory);
      return found;
    },
  };
}

/** A read shows in the time of access: even where it is kept sparingly, it is when it lies before the last change. */
async function age(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of await readdir(path)) await age(join(path, name));
  await utimes(path, LONG_AGO, LATER);
}

async function opened(path: string, shown: string): Promise<readonly string[]> {
  const found = await lstat(path);
  const read =
    !found.isSymbolicLink() && found.atimeMs !== LONG_AGO.getTime() ? [`read: ${shown || "."}`] : [];
  if (!found.isDirectory()) return read;
  const names = await readdir(path);
  return [
    ...read,
    ...(await Promise.all(names.map((name) => opened(join(path, name), join(shown, name))))).flat(),
  ];
}

async function look(path: string, shown: string): Promise<ReadonlyMap<string, string>> {
  const found = await lstat(path);
  const mode = (found.mode & 0o7777).toString(8);
  if (found.isSymbolicLink()) return new Map([[shown, `link to ${await readlink(path)}`]]);
  if (found.isFile()) return new Map([[shown, `${mode} ${(await readFile(path, "utf8")).trim()}`]]);
  const below = await Promise.all(
    (await readdir(path)).map(async (name) => [...(await look(join(path, name), join(shown, name)))]),
  );
  return new Map([[shown, `${mode} directory`], ...below.flat()]);
}

function differences(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths]
    .filter((path) => before.get(path) !== now.get(path))
    .map((path) => `${path || "."}: ${before.get(path) ?? "none"} became ${now.get(path) ?? "none"}`);
}
