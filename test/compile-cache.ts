import { join } from "node:path";
import { recordingEnvironment } from "./reach/record.ts";

/**
 * Environment of Flotilla processes that tests start. Compiling takes half of a start; this caches it across starts.
 * Also makes the processes record the lifecycle transitions that they take, if that was requested.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compile"),
  ...recordingEnvironment(),
} as const;
