import type { Permission } from "../ports/github.ts";

const RANK: Readonly<Record<Permission, number>> = {
  none: 0,
  read: 1,
  triage: 2,
  write: 3,
  maintain: 4,
  admin: 5,
};

/** Returns true when `permission` reaches `needed` (`policy.who_may_command`). */
export function reaches(permission: Permission, needed: "write" | "maintain" | "admin"): boolean {
  return RANK[permission] >= RANK[needed];
}
