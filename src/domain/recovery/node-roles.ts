/** The parts of the work that a process can have. */
export const NODE_ROLES = ["intake", "controller", "runner", "web"] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
export type NodeRoles = ReadonlySet<NodeRole>;

export const ALL_ROLES: NodeRoles = new Set(NODE_ROLES);

/** Reads roles with commas between them. Returns the words that are none where there are such. */
export function readRoles(
  text: string,
):
  | { readonly roles: NodeRoles; readonly unknown?: never }
  | { readonly roles?: never; readonly unknown: readonly string[] } {
  const words = text.split(",").map((word) => word.trim().toLowerCase());
  const unknown = words.filter((word) => !isRole(word));
  return unknown.length > 0
    ? { unknown }
    : { roles: new Set(NODE_ROLES.filter((role) => words.includes(role))) };
}

/** Returns the roles in their order, as people write them. */
export function writtenRoles(roles: NodeRoles): string {
  return NODE_ROLES.filter((role) => roles.has(role)).join();
}

const isRole = (word: string): word is NodeRole => NODE_ROLES.some((role) => role === word);
