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

/** A check, what it looks at, and the roles that need it; without any, all roles do. */
interface NamedCheck {
  readonly check: Check;
  readonly what: string;
  readonly of?: readonly NodeRole[];
}

/** All checks, in the order of their findings. */
const CHECKS: readonly NamedCheck[] = [
  { check: checkDatabase, what: "the database" },
  { check: checkListenAddress, what: "the address to listen on", of: ["intake", "web"] },
  { check: checkProvider, what: "the model provider", of: ["runner"] },
  { check: checkCollector, what: "the collector of traces" },
  { check: checkRegistries, what: "the registries", of: ["runner"] },
  { check: checkRules, what: "the rules of the lifecycles" },
  { check: checkGitHubLimits, what: "GitHub's limits", of: ["controller"] },
  { check: checkApp, what: "the App: key, permissions, events", of: ["controller"] },
  { check: checkWebhooks, what: "the webhooks", of: ["controller"] },
  { check: checkRepositories, what: "the repositories", of: ["controller"] },
];

const checksOf = (roles: NodeRoles): readonly NamedCheck[] =>
  CHECKS.filter(({ of }) => of === undefined || of.some((role) => roles.has(role)));

/** What was looked at, and what was found there. */
export interface Looked {
  readonly what: string;
  readonly findings: readonly Finding[];
}

/** Runs the checks concurrently. */
export async function look(examined: Examined, roles: NodeRoles): Promise<readonly Looked[]> {
  const context = createCheckContext(examined);
  return Promise.all(
    checksOf(roles).map(async ({ check, what }) => ({ what, findings: await check(context) })),
  );
}
