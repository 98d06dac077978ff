/**
 * Files that the operator creates in the data directory: switches that work when neither GitHub nor the API answers. PAUSE
 * holds all agents while it is there. CHECKPOINT stops every sprint once, ABORT ends every goal and sprint once; both are
 * then removed.
 */
export const OPERATOR_FILES = ["PAUSE", "CHECKPOINT", "ABORT"] as const;
export type OperatorFile = (typeof OPERATOR_FILES)[number];

/** Who acts by such a file, as records name it. */
export const BY_FILE = "operator:file";

/** Returns why the work of a goal or a sprint stops. */
export function fileReason(file: OperatorFile): string {
  return `the operator created the file ${file} in the data directory`;
}
