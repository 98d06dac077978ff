import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory of this process after a full collection, in bytes. */
export function collectedMemory(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage();
}
