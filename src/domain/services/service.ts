import type { Role } from "../agents/role.ts";
import type { ServiceEnd } from "../ports/service-host.ts";
import type { Settings } from "../settings/settings.ts";

export type Services = Settings["services"];

/** A service that did not become ready. */
export interface ServiceFailure {
  readonly name: string;
  readonly service: Services[string];
  /** Null where it ran on without becoming ready. */
  readonly end: Pick<ServiceEnd, "exitCode" | "signal"> | null;
  /** The end of its output. */
  readonly log: string;
}

/** Returns the variables by which agents and acceptance commands find the services. */
export function serviceVariables(services: Services): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(services).flatMap(({ env }) => Object.entries(env)));
}

/** Returns the services of an agent: only a shell can reach them, and without a worktree there is nothing to run. */
export function servicesOf(
  services: Services,
  role: Pick<Role, "capabilities">,
  worktreePath: string | null,
): Services {
  return role.capabilities.includes("shell") && worktreePath !== null ? services : {};
}
