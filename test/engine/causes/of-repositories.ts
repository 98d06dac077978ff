import type { OF_REPOSITORIES } from "../../../src/domain/decisions/rules.ts";
import type { RepositoryEvent, RepositoryEventOf } from "../../../src/domain/events/repository-event.ts";
import type { RepositoryLimits } from "../../../src/domain/ports/github.ts";
import { aDomainEvent, aRepository } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { CONFINED } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { labeled, said, tell } from "../people.ts";
import { proposes } from "../proposing.ts";
import { REPOSITORY, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";
import { type Cause, caused } from "./cause.ts";

const { id, owner, name, installationId } = REPOSITORY;
const REBASE = { auto: false, maxRisk: undefined, method: "rebase" } as const;
const base = { delivery: "news", at: AT, actor: person("alice") };

/** The news comes while an agent of the repository sleeps. */
function news(...all: readonly RepositoryEvent[]): Cause {
  return caused({ script: [on(1, blocked(2))] }, async (rig) => {
    for (const [index, one] of all.entries()) await rig.engine.handle({ ...one, delivery: `news-${index}` });
    await rig.idle();
  });
}

const changed = (
  change: RepositoryEventOf<"repository_changed">["change"],
  named: Parameters<typeof aRepository>[0] = {},
): RepositoryEvent => ({
  ...base,
  type: "repository_changed",
  repository: aRepository(named),
  change,
  was: named?.name === undefined ? null : "acme/shop",
});

const installation = (change: RepositoryEventOf<"installation_changed">["change"]): RepositoryEvent => ({
  ...base,
  type: "installation_changed",
  installationId,
  change,
});

const lost: RepositoryEvent = { ...base, type: "coverage_changed", installationId, added: [], removed: [id] };

/** The App comes to a repository whose issue carries a role's label. */
async function welcomed(rig: Rig): Promise<void> {
  const issue = rig.repository.issues.get(1);
  if (issue !== undefined) issue.labels = ["feature"];
  const added = [{ id, owner, name, private: true }];
  await rig.engine.handle({ ...base, type: "coverage_changed", installationId, added, removed: [] });
  await rig.idle();
}

/** What stands in the repository's own file, one after the other; null = it is taken away. */
const withFile = (...texts: readonly (string | null)[]): Cause =>
  caused({}, async (rig) => {
    for (const [index, text] of texts.entries()) {
      if (text === null) rig.repository.files.delete(".github/flotilla.yml");
      else rig.repository.files.set(".github/flotilla.yml", text);
      await tell(rig, labeled(rig, index + 1));
      rig.clock.advance(rig.context.settings.reconcileEveryMs);
    }
  });

/** A coder would start where the repository asks for what we do not do. */
const asking = (limits: Partial<RepositoryLimits>, options: Parameters<typeof caused>[0] = {}): Cause =>
  caused(options, async (rig) => {
    Object.assign(rig.repository, { limits: { ...rig.repository.limits, ...limits } });
    await tell(rig, labeled(rig, 2), said(rig, 3, "/flotilla start feat-dev"));
  });

const proposal = (how: { readonly merged: boolean }): Cause =>
  caused({}, (rig) => rig.engine.handle(aDomainEvent("proposal_closed", how)));

/** A real cause of each decision about a whole repository. */
export const CAUSES_OF_REPOSITORIES: Readonly<Record<keyof typeof OF_REPOSITORIES, Cause>> = {
  archived: news(changed("archived")),
  caught_up: caused({ script: [on(1, blocked(2))] }, (rig) => rig.engine.catchUp({ since: AT, until: AT })),
  coverage_changed: news(lost),
  file_declined: proposal({ merged: false }),
  file_proposed: caused({}, (rig) => proposes(rig)),
  file_merged: proposal({ merged: true }),
  installation_changed: news(installation("suspended")),
  lfs: asking({ lfs: true }),
  not_listed: news(changed("transferred", { owner: "other", name: "shop" })),
  offered: caused({}, welcomed),
  privatized: news(changed("privatized")),
  publicized: caused({ script: [on(1, blocked(2))], settings: { sandbox: CONFINED } }, (rig) =>
    rig.engine.handle(changed("publicized", { private: false })).then(() => rig.idle()),
  ),
  removed: news(lost),
  renamed: news(changed("renamed", { name: "store" })),
  repository_changed: news(changed("archived")),
  repository_deleted: news(changed("deleted")),
  repository_file_faulty: withFile("reviw: {}"),
  repository_file_gone: withFile("review: { required: true }", null),
  repository_file_taken: withFile("review: { required: true }"),
  signed_commits: asking({ signatures: true }, { settings: { merge: REBASE } }),
  submodules: asking({ submodules: true }),
  suspended: news(installation("suspended")),
  transferred: news(changed("transferred", { name: "store" })),
  unarchived: news(changed("archived"), changed("unarchived")),
  uninstalled: news(installation("uninstalled")),
  unsuspended: news(installation("suspended"), installation("unsuspended")),
};
