import type { Database } from "../../adapters/store/database.ts";
import type { Variables } from "../../config/environment.ts";
import { ALL_ROLES, type NodeRoles, writtenRoles } from "../../domain/recovery/node-roles.ts";
import type { Finding } from "./finding.ts";

/** A file serves one process, which then must do everything. */
export function sharingFaults(roles: NodeRoles, { usedBy }: Pick<Database, "usedBy">): readonly Finding[] {
  if (usedBy === "several_nodes" || roles.size === ALL_ROLES.size) return [];
  return [
    {
      about: "roles",
      what: `are ${writtenRoles(roles)}, and this database serves one process, which must have all of them`,
      next: "Set DATABASE_URL to a database server, or leave out --role and FLOTILLA_ROLE",
    },
  ];
}

/** Returns the secrets in the environment that these roles do not need. An attacker who takes over the process would get them. */
export function unneededSecrets(roles: NodeRoles, env: Variables): readonly Finding[] {
  return SECRETS.flatMap(({ names, role, what }) => {
    const set = names.filter((name) => (env[name] ?? "") !== "");
    if (set.length === 0 || roles.has(role)) return [];
    return [
      {
        about: set.join(", "),
        what: `holds ${what}, which the roles ${writtenRoles(roles)} do not need`,
        next: "Take it out of this machine's environment",
      },
    ];
  });
}

const SECRETS = [
  { names: ["PRIVATE_KEY", "PRIVATE_KEY_PATH"], role: "controller", what: "the App's private key" },
  {
    names: ["WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"],
    role: "intake",
    what: "the webhook secret",
  },
] as const;
