import { z } from "zod";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { PROPOSAL_MESSAGE, PROPOSAL_TITLE } from "../../domain/onboarding/onboarding-body.ts";
import { proposalWords } from "../../domain/onboarding/onboarding-words.ts";
import { PROPOSED_FILE } from "../../domain/onboarding/proposed.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Operations } from "../../engine/commands/operations.ts";
import { type ProposalTools, proposalStatus, writtenProposal } from "./proposal.ts";
import { trialSchema } from "./trial-request.ts";

/** Request of the control socket. */
const requestSchema = z.strictObject({
  repository: z.string(),
  again: z.boolean(),
  by: z.string().min(1).max(100),
  /** What the proposal tells of its commands; null only asks whether it can be made. */
  trial: trialSchema.nullable(),
});

/** Response: the pull request, opened now or earlier; null while it is in progress, and where it can be opened. */
export const proposed = z.object({
  repository: z.string(),
  state: z.enum(["free", "opened", "open", "under_way"]),
  pull: z.int().nullable(),
  url: z.string().nullable(),
});

/**
 * Opens the pull request that proposes the repository's file, or says that it can be opened. Throws `OperationError`
 * with the reason if that is not possible.
 */
export async function onboard(
  context: {
    readonly store: Pick<Store, "repositories">;
    readonly operations: Pick<Operations, "proposeFile">;
    readonly proposing: Omit<ProposalTools, "show">;
  },
  body: unknown,
): Promise<z.infer<typeof proposed>> {
  const { repository: given, again, by, trial } = requestSchema.parse(body);
  const repository = await findRepository(context.store, given);
  const name = fullName(repository);
  const proposal = await proposalStatus(context.proposing, repository, again);
  if (proposal.kind === "open")
    return { repository: name, state: "open", pull: proposal.pull.number, url: proposal.pull.url };
  if (proposal.kind !== "free")
    throw new OperationError({ code: "not_proposed", ...proposalWords(proposal, name) });
  if (trial === null) return { repository: name, state: "free", pull: null, url: null };
  const written = await writtenProposal({ ...context.proposing, show: () => {} }, repository, trial);
  const pull = await context.operations.proposeFile({
    repositoryId: repository.id,
    by,
    branch: proposal.branch,
    path: PROPOSED_FILE,
    message: PROPOSAL_MESSAGE,
    title: PROPOSAL_TITLE,
    ...written,
  });
  return {
    repository: name,
    state: pull === null ? "under_way" : "opened",
    pull: pull?.number ?? null,
    url: pull?.url ?? null,
  };
}

/** Finds a repository by name. Flotilla knows a name once it has seen a delivery of the repository. */
async function findRepository(store: Pick<Store, "repositories">, given: string): Promise<RepositoryRow> {
  const name = parseFullName(given);
  const found = name === undefined ? undefined : await store.repositories.byName(name.owner, name.name);
  if (found === undefined)
    throw new OperationError({ code: "not_proposed", ...unknownRepositoryText(given) });
  return found;
}

/** Returns the error texts for a repository that no webhook has mentioned. */
export function unknownRepositoryText(name: string): { readonly why: string; readonly hint: string } {
  return {
    why: `No webhook from ${name} has arrived yet`,
    hint: "install the App there while `flotilla serve` runs, or comment on one of its issues",
  };
}
