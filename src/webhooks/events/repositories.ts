import { z } from "zod";
import type {
  BriefRepository,
  RepositoryChange,
  RepositoryEventOf,
} from "../../domain/events/repository-event.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import { shapeFault } from "../../domain/kernel/shape-fault.ts";
import { allowsRepository } from "../../domain/settings/settings.ts";
import { authorShape, envelopeShape } from "../payload.ts";
import type { WebhookParser, WebhookParsers } from "./parsing.ts";

const login = z.object({ login: z.string().min(1) }).nullish();

/** Reads the former name; the other actions have no relevant changes. */
const formerName = z.object({
  changes: z
    .object({
      repository: z.object({ name: z.object({ from: z.string().min(1) }) }).optional(),
      owner: z.object({ from: z.object({ user: login, organization: login }) }).optional(),
    })
    .optional(),
});

/**
 * Reads events of a repository itself, even under a new name that is not listed, if agents worked under its
 * old name.
 */
const repositoryChanged =
  (change: RepositoryChange): WebhookParser =>
  async ({ id, payload }, { settings, repositories, clock }) => {
    const envelope = envelopeShape.safeParse(payload);
    if (!envelope.success) return { ignored: `not understood: ${shapeFault(envelope.error, "payload")}` };
    const fields = formerName.safeParse(payload);
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

const brief = z
  .object({ id: z.int().positive(), full_name: z.string(), private: z.boolean() })
  .transform(({ id, full_name, private: isPrivate }, context): BriefRepository => {
    const name = parseFullName(full_name);
    if (name !== undefined) return { id, ...name, private: isPrivate };
    context.addIssue("no full name of a repository");
    return z.NEVER;
  });

const briefs = z.array(brief).default([]);

const installationShape = z.object({
  sender: authorShape,
  installation: z.object({ id: z.int().positive() }),
  repositories: briefs,
  repositories_added: briefs,
  repositories_removed: z.array(z.object({ id: z.int().positive() })).default([]),
});

type OfInstallation = RepositoryEventOf<"coverage_changed"> | RepositoryEventOf<"installation_changed">;

/** These webhooks concern the App and an account, and have no repository. */
const ofInstallation =
  (
    read: (
      base: Pick<OfInstallation, "delivery" | "at" | "actor" | "installationId">,
      fields: z.output<typeof installationShape>,
    ) => OfInstallation,
  ): WebhookParser =>
  async ({ id: delivery, payload }, { clock }) => {
    const parsed = installationShape.safeParse(payload);
    if (!parsed.success) return { ignored: `not understood: ${shapeFault(parsed.error, "payload")}` };
    const { installation, sender: actor } = parsed.data;
    return read({ delivery, at: clock.now(), actor, installationId: installation.id }, parsed.data);
  };

const installationChanged = (change: RepositoryEventOf<"installation_changed">["change"]): WebhookParser =>
  ofInstallation((base) => ({ ...base, type: "installation_changed", change }));

const coverageChanged = ofInstallation((base, fields) => ({
  ...base,
  type: "coverage_changed",
  added: fields.repositories_added,
  removed: fields.repositories_removed.map(({ id }) => id),
}));

/** Readers of events of whole repositories, and of the App's access to them. */
export const REPOSITORY_EVENTS = {
  "repository.renamed": repositoryChanged("renamed"),
  "repository.transferred": repositoryChanged("transferred"),
  "repository.archived": repositoryChanged("archived"),
  "repository.unarchived": repositoryChanged("unarchived"),
  "repository.deleted": repositoryChanged("deleted"),
  "repository.privatized": repositoryChanged("privatized"),
  "repository.publicized": repositoryChanged("publicized"),
  "installation.created": ofInstallation((base, { repositories: added }) => ({
    ...base,
    type: "coverage_changed",
    added,
    removed: [],
  })),
  "installation.deleted": installationChanged("uninstalled"),
  "installation.suspend": installationChanged("suspended"),
  "installation.unsuspend": installationChanged("unsuspended"),
  /** Each token is requested with the permissions that its call needs, so nothing has to be renewed. */
  "installation.new_permissions_accepted": async () => ({
    ignored: "the next call uses the permissions that were accepted",
  }),
  "installation_repositories.added": coverageChanged,
  "installation_repositories.removed": coverageChanged,
} satisfies WebhookParsers;
