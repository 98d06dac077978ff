import { join } from "node:path";

/**
 * For processes of ours that tests start: compiling our sources and their packages is half of a start, and this keeps it
 * from one start to the next.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compile"),
} as const;
