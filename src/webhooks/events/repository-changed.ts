import { z } from "zod";
import type { RepositoryChange } from "../../domain/events/repository-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { shapeFault } from "../../domain/kernel/shape-fault.ts";
import { allowsRepository } from "../../domain/settings/settings.ts";
import { envelopeShape } from "../payload.ts";
import type { WebhookParser } from "./parsing.ts";

const login = z.object({ login: z.string().min(1) }).nullish();

/** Only what it was called; the other actions have no changes that matter here. */
const shape = z.object({
  changes: z
    .object({
      repository: z.object({ name: z.object({ from: z.string().min(1) }) }).optional(),
      owner: z.object({ from: z.object({ user: login, organization: login }) }).optional(),
    })
    .optional(),
});

/**
 * What happened to a repository itself. It is read from one whose new name is not on the list too, where agents were at
 * work under its old name.
 */
export const repositoryChanged =
  (change: RepositoryChange): WebhookParser =>
  async ({ id, payload }, { settings, repositories, clock }) => {
    const envelope = envelopeShape.safeParse(payload);
    if (!envelope.success) return { ignored: `not understood: ${shapeFault(envelope.error, "payload")}` };
    const fields = shape.safeParse(payload);
    if (!fields.success) return { ignored: `not understood: ${shapeFault(fields.error, "payload")}` };
    const { repository: raw, sender: actor, installation } = envelope.data;
    const { name } = raw;
    const owner = raw.owner.login;
    const known = await repositories.get(raw.id);
    if (known === undefined && !allowsRepository(settings, fullName({ owner, name })))
      return { ignored: `${owner}/${name} is not on the list of repositories in the configuration` };
    const installationId = installation?.id ?? known?.installationId;
    if (installationId === undefined) return { ignored: "the App is not known to be installed there" };
    const { changes } = fields.data;
    const from = changes?.owner?.from;
    const before = {
      owner: (from?.organization ?? from?.user)?.login ?? owner,
      name: changes?.repository?.name.from ?? name,
    };
    return {
      delivery: id,
      at: clock.now(),
      actor,
      type: "repository_changed",
      repository: {
        id: raw.id,
        owner,
        name,
        installationId,
        private: raw.private,
        defaultBranch: raw.default_branch,
      },
      change,
      was: fullName(before) === fullName({ owner, name }) ? null : fullName(before),
    };
  };
