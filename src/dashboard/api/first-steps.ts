import type { Role } from "../../domain/agents/role.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import type { FIRST_STEPS } from "./answers/work.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";

interface FirstStep {
  readonly name: (typeof FIRST_STEPS)[number];
  readonly done: boolean;
  /** What is there, or what stands in the way; null if nothing is to be said. */
  readonly detail: string | null;
}

/** Repositories that are asked for their labels. */
const ASKED = 3;

/** Answers how far a new Flotilla is, to its operator: what it knows itself, and the labels, for which it asks GitHub. */
export async function firstSteps(parts: ApiParts, { rights }: ViewerAsked): Promise<Answer> {
  if (rights.viewer.kind !== "operator") return NOT_FOUND;
  const { store } = parts;
  const repositories = await store.repositories.all();
  const [delivery] = await store.deliveries.list({}, 1);
  const hasAgent = (await store.lists.agentCounts()).length > 0;
  const hasAnswered = (await store.lists.costs(0)).length > 0;
  const names = repositories.slice(0, ASKED).map(fullName);
  const steps: readonly FirstStep[] = [
    { name: "app", done: repositories.length > 0, detail: names.length === 0 ? null : names.join(", ") },
    { name: "webhook", done: delivery !== undefined, detail: delivery?.event ?? null },
    await labelStep(parts, repositories.slice(0, ASKED)),
    { name: "agent", done: hasAgent || hasAnswered, detail: null },
    { name: "model", done: hasAnswered, detail: null },
  ];
  return ok({ steps });
}

/** The step of the labels is done if one of them is there; `detail` names those that are not. */
async function labelStep(
  { settings, missingLabels }: ApiParts,
  repositories: readonly RepositoryRow[],
): Promise<FirstStep> {
  const labels = labelsOf([...settings.roles.values()]);
  if (labels.length === 0 || repositories.length === 0) return { name: "label", done: false, detail: null };
  try {
    const each = await Promise.all(
      repositories.map(async (one) => ({ name: fullName(one), missing: await missingLabels(one, labels) })),
    );
    const lacking = each.filter(({ missing }) => missing.length > 0);
    return {
      name: "label",
      done: each.some(({ missing }) => missing.length < labels.length),
      detail:
        lacking.length === 0
          ? null
          : lacking
              .map(
                ({ name, missing }) => `${name} lacks ${missing.map((label) => `\`${label}\``).join(", ")}`,
              )
              .join("; "),
    };
  } catch (error) {
    return { name: "label", done: false, detail: `GitHub could not be asked: ${messageOf(error)}` };
  }
}

function labelsOf(roles: readonly Role[]): readonly string[] {
  return [...new Set(roles.flatMap(({ triggers }) => triggers.flatMap(({ label }) => label ?? [])))];
}
