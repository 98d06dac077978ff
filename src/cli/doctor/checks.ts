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

/** All checks, in the order of their findings. */
const CHECKS: readonly Check[] = [
  checkDatabase,
  checkListenAddress,
  checkProvider,
  checkCollector,
  checkRegistries,
  checkRules,
  checkGitHubLimits,
  checkApp,
  checkWebhooks,
  checkRepositories,
];

/** Runs the checks concurrently and returns their findings. */
export async function findingsOf(
  examined: Examined,
  checks: readonly Check[] = CHECKS,
): Promise<readonly Finding[]> {
  const context = createCheckContext(examined);
  const found = await Promise.all(checks.map((check) => check(context)));
  return found.flat();
}
