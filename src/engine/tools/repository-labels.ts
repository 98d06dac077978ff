import { untrusted } from "../../domain/conversation/untrusted.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { isOldCategoryLabel } from "../../domain/tasks/escalation.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import type { ToolContext } from "../sessions/tool-context.ts";

/** The number of labels that a refusal names. */
const SHOWN = 50;

/**
 * Returns the labels that an agent has named, in the repository's own spelling; or, for the model, why it may not use them. An
 * agent only uses what people have created: GitHub would create any other name. Reads GitHub, so it is never called in a
 * transaction.
 */
export async function labelsFor(
  named: readonly string[],
  { context, agent }: Pick<ToolContext, "context" | "agent">,
): Promise<{ readonly labels: readonly string[] } | { readonly fault: string }> {
  if (named.length === 0) return { labels: [] };
  const settings = context.settingsOf(agent.repositoryId);
  const hosts = named.find((name) => isHosts(name, settings));
  if (hosts !== undefined)
    return { fault: `The label ${hosts} is the host's; use escalate_to_human when a person must act.` };
  try {
    const all = await context.github.labels(await repositoryOf(context, agent.repositoryId));
    const missing = named.filter((name) => !all.some((one) => isSame(one, name)));
    return missing.length === 0
      ? { labels: all.filter((one) => named.some((name) => isSame(one, name))) }
      : {
          fault: unknownLabels(
            missing,
            all.filter((one) => !isHosts(one, settings)),
          ),
        };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return {
      fault: `The repository's labels could not be read: ${error.message}. Try again, or leave them out.`,
    };
  }
}

/** Returns those of the labels that the effect's result does not name: they were deleted after they were checked. */
export function leftOut(
  labels: readonly string[],
  { labels: put }: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (!Array.isArray(put)) return [];
  return labels.filter((label) => !put.some((one) => typeof one === "string" && isSame(one, label)));
}

/** Tells the model which labels were left out; empty where none was. */
export function toldLeftOut(labels: readonly string[]): string {
  return labels.length === 0 ? "" : `No longer in the repository, so left out: ${quoted(labels)}.`;
}

/** Labels by which Flotilla itself shows what goes on. */
function isHosts(label: string, { escalation }: Pick<Settings, "escalation">): boolean {
  return (
    isSame(label, escalation.label) ||
    label.toLowerCase().startsWith("flotilla:") ||
    isOldCategoryLabel(label)
  );
}

/** Ignores case, as GitHub does. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function unknownLabels(missing: readonly string[], usable: readonly string[]): string {
  const fault = `This repository has no label ${quoted(missing)}, and you cannot create one.`;
  if (usable.length === 0) return `${fault} It has none that you may use.`;
  const more = usable.length > SHOWN ? `, and ${usable.length - SHOWN} more` : "";
  return `${fault} Use one of these, or none: ${untrusted(quoted(usable.slice(0, SHOWN)))}${more}.`;
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
