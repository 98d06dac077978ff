import type { NodeRole, NodeRoles } from "../../domain/recovery/node-roles.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { type Check, createCheckContext, type Examined } from "./check.ts";
import { checkApp } from "./check-app.ts";
import { checkCollector } from "./check-collector.ts";
import { checkDatabase } from "./check-database.ts";
import { checkGitHubLimits } from "./check-github-limits.ts";
import { checkListenAddress } from "./check-listen-address.ts";
import { checkProvider } from "./check-provider.ts";
import { checkRegistries } from "./check-registries.ts";
import { checkRepositories } from "./check-repositories.ts";
import { checkRules } from "./check-rules.ts";
import { checkWebhooks } from "./check-webhooks.ts";

/** All checks, in the order of their findings, with the roles that need them; without any, all roles do. */
const CHECKS: readonly { readonly check: Check; readonly of?: readonly NodeRole[] }[] = [
  { check: checkDatabase },
  { check: checkListenAddress, of: ["intake", "web"] },
  { check: checkProvider, of: ["runner"] },
  { check: checkCollector },
  { check: checkRegistries, of: ["runner"] },
  { check: checkRules },
  { check: checkGitHubLimits, of: ["controller"] },
  { check: checkApp, of: ["controller"] },
  { check: checkWebhooks, of: ["controller"] },
  { check: checkRepositories, of: ["controller"] },
];

const checksOf = (roles: NodeRoles): readonly Check[] =>
  CHECKS.filter(({ of }) => of === undefined || of.some((role) => roles.has(role))).map(({ check }) => check);

/** Runs the checks concurrently and returns their findings. */
export async function findingsOf(
  examined: Examined,
  roles: NodeRoles,
  checks: readonly Check[] = checksOf(roles),
): Promise<readonly Finding[]> {
  const context = createCheckContext(examined);
  const found = await Promise.all(checks.map((check) => check(context)));
  return found.flat();
}
