import type { NodeLife } from "../../src/domain/recovery/node.ts";
import { ALL_ROLES, type NodeRole, writtenRoles } from "../../src/domain/recovery/node-roles.ts";

/** What a node says of itself when it begins; with all roles by default. */
export function aNode(
  name: string,
  { roles, ...given }: Partial<Omit<NodeLife, "roles">> & { readonly roles?: readonly NodeRole[] } = {},
): NodeLife {
  return {
    name,
    version: "1.0.0",
    reads: 3,
    roles: writtenRoles(roles === undefined ? ALL_ROLES : new Set(roles)),
    publicKey: null,
    memoryBytes: null,
    ...given,
  };
}
