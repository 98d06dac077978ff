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
import { checkScreens } from "./check-screens.ts";
import { checkWebhooks } from "./check-webhooks.ts";

interface NamedCheck {
  readonly check: Check;
  readonly what: string;
  /** The roles that need it; without any, all roles do. */
  readonly of?: readonly NodeRole[];
  /** Whether there is anything to look at. */
  readonly isThere?: (examined: Examined) => boolean;
  /** It sees nothing where GitHub does not answer, or does not accept the App. */
  readonly asksGitHub?: true;
}

/** All checks, in the order of their findings. */
const CHECKS: readonly NamedCheck[] = [
  { check: checkDatabase, what: "the database", isThere: ({ hasStore }) => hasStore },
  { check: checkListenAddress, what: "the address to listen on", of: ["intake", "web"] },
  {
    check: checkProvider,
    what: "the model provider",
    of: ["runner"],
    isThere: ({ config: { secrets } }) => secrets.provider !== undefined,
  },
  {
    check: checkCollector,
    what: "the collector of traces",
    isThere: ({ config: { secrets } }) => secrets.collector !== undefined,
  },
  {
    check: checkRegistries,
    what: "the registries",
    of: ["runner"],
    isThere: ({ config: { secrets } }) => secrets.registries.length > 0,
  },
  {
    check: checkScreens,
    what: "the browser for pictures of apps",
    of: ["runner"],
    isThere: ({ hasStore }) => hasStore,
  },
  { check: checkRules, what: "the rules of the lifecycles", isThere: ({ hasStore }) => hasStore },
  { check: checkGitHubLimits, what: "GitHub's limits", of: ["controller"], asksGitHub: true },
  { check: checkApp, what: "the App: key, permissions, events", of: ["controller"], asksGitHub: true },
  { check: checkWebhooks, what: "the webhooks", of: ["controller"], asksGitHub: true },
  {
    check: checkRepositories,
    what: "the repositories",
    of: ["controller"],
    isThere: ({ hasStore }) => hasStore,
    asksGitHub: true,
  },
];

const checksOf = (roles: NodeRoles): readonly NamedCheck[] =>
  CHECKS.filter(({ of }) => of === undefined || of.some((role) => roles.has(role)));

/** What was looked at, and what was found there. */
export interface Looked {
  readonly what: string;
  readonly findings: readonly Finding[];
  /** True where there was nothing to look at, or it could not be seen. */
  readonly isUnseen: boolean;
}

/** Runs the checks concurrently. */
export async function look(examined: Examined, roles: NodeRoles): Promise<readonly Looked[]> {
  const context = createCheckContext(examined);
  const looked = await Promise.all(
    checksOf(roles).map(async (named) => ({ named, findings: await named.check(context) })),
  );
  const isAccepted =
    looked.some(({ named }) => named.asksGitHub === true) && (await context.refusal) === null;
  return looked.map(({ named: { what, isThere, asksGitHub }, findings }) => ({
    what,
    findings,
    isUnseen: isThere?.(examined) === false || (asksGitHub === true && !isAccepted),
  }));
}
