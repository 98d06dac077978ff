import { ACTS } from "./act-tools.ts";
import { READS } from "./read-tools.ts";
import type { FlotillaTool } from "./tool.ts";

/** The tools, in the order in which they are listed. */
export function toolsFor({ readOnly }: { readonly readOnly: boolean }): readonly FlotillaTool[] {
  return readOnly ? READS : [...READS, ...ACTS];
}
