import { join } from "node:path";
import { recordingEnvironment } from "./reach/record.ts";

/**
 * For processes of ours that tests start: compiling our sources and their packages is half of a start, and this keeps it
 * from one start to the next. They record which arrows of the lifecycles they take, where that is asked for.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compile"),
  ...recordingEnvironment(),
} as const;
