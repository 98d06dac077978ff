import { z } from "zod";
import type { BriefRepository, RepositoryEventOf } from "../../domain/events/repository-event.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { shapeFault } from "../../domain/kernel/shape-fault.ts";
import { authorShape } from "../payload.ts";
import type { WebhookParser } from "./parsing.ts";

const brief = z
  .object({ id: z.int().positive(), full_name: z.string(), private: z.boolean() })
  .transform(({ id, full_name, private: isPrivate }, context): BriefRepository => {
    const name = parseFullName(full_name);
    if (name !== undefined) return { id, ...name, private: isPrivate };
    context.addIssue("no full name of a repository");
    return z.NEVER;
  });

const briefs = z.array(brief).default([]);

const shape = z.object({
  sender: authorShape,
  installation: z.object({ id: z.int().positive() }),
  repositories: briefs,
  repositories_added: briefs,
  repositories_removed: z.array(z.object({ id: z.int().positive() })).default([]),
});

type Told = z.output<typeof shape>;
type Base = Pick<RepositoryEventOf<"coverage_changed">, "delivery" | "at" | "actor" | "installationId">;

/** These come without a repository around them: they are of the App and an account. */
const told =
  (
    read: (
      base: Base,
      fields: Told,
    ) => RepositoryEventOf<"coverage_changed"> | RepositoryEventOf<"installation_changed">,
  ): WebhookParser =>
  async ({ id: delivery, payload }, { clock }) => {
    const parsed = shape.safeParse(payload);
    if (!parsed.success) return { ignored: `not understood: ${shapeFault(parsed.error, "payload")}` };
    const { installation, sender: actor } = parsed.data;
    return read({ delivery, at: clock.now(), actor, installationId: installation.id }, parsed.data);
  };

const changed = (change: RepositoryEventOf<"installation_changed">["change"]): WebhookParser =>
  told((base) => ({ ...base, type: "installation_changed", change }));

export const installationDeleted = changed("uninstalled");
export const installationSuspended = changed("suspended");
export const installationUnsuspended = changed("unsuspended");

export const installationCreated = told((base, { repositories: added }) => ({
  ...base,
  type: "coverage_changed",
  added,
  removed: [],
}));

export const installationRepositories = told((base, { repositories_added: added, repositories_removed }) => ({
  ...base,
  type: "coverage_changed",
  added,
  removed: repositories_removed.map(({ id }) => id),
}));

/** Every token is asked for with what the call needs, so that there is nothing to renew. */
export const installationPermissions: WebhookParser = async () => ({
  ignored: "the next call uses the permissions that were accepted",
});
