import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

/** Beside `node_modules`. It has the digest of each file that was installed, by its path below the directory. */
const LIST = "installed-files.json";
const listFile = z.record(z.string(), z.string());

/** Keeps what the files of an installation are like. */
export async function keepList(directory: string): Promise<void> {
  const list: Record<string, string> = {};
  const entries = await readdir(join(directory, "node_modules"), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() && !entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    list[relative(directory, path)] = (await digestOf(path)) ?? "";
  }
  await writeFile(join(directory, LIST), JSON.stringify(list));
}

/** Returns the installed files that are missing or are not what they were; null where nobody knows what they were. */
export async function damagedFiles(directory: string): Promise<readonly string[] | null> {
  const text = await readFile(join(directory, LIST), "utf8").catch(() => "null");
  const { data } = listFile.safeParse(parsed(text));
  if (data === undefined) return null;
  const damaged: string[] = [];
  for (const [path, digest] of Object.entries(data))
    if ((await digestOf(join(directory, path))) !== digest) damaged.push(path);
  return damaged;
}

/** Returns the digest of a file, or where a link leads; null where there is none that can be read. */
async function digestOf(path: string): Promise<string | null> {
  const target = await readlink(path).catch(() => null);
  if (target !== null) return `-> ${target}`;
  const hash = createHash("sha256");
  return pipeline(createReadStream(path), hash).then(
    () => hash.digest("base64url"),
    () => null,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
