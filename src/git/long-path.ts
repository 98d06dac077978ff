import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** One system call takes 4,096 bytes of a path; step by step an agent can make longer ones. */
const LONG = 2_048;

/**
 * Runs `work` with a path of the same directory below which there is room for every name. Paths are bytes: names need not be
 * Unicode. The long way round is Linux's alone.
 */
export async function withRoom<T>(directory: Buffer, work: (path: Buffer) => Promise<T>): Promise<T> {
  if (directory.length < LONG) return work(directory);
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return await work(Buffer.from(`/proc/self/fd/${handle.fd}`));
  } finally {
    await handle.close();
  }
}

/** The path of something in a directory. */
export function below(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from("/"), name]);
}
