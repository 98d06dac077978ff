import { ApiError, invalid, notFound } from "../http/answer.ts";
import { renderLabel } from "../render/issue.ts";
import type { Account, Issue, Label, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { emitIssue, stampUpdated } from "./emit.ts";

/** Finds a label by name, ignoring case. */
export function findLabel(repository: Repository, name: string): Label | undefined {
  return repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
}

export function createLabel(
  world: World,
  repository: Repository,
  sender: Account,
  wanted: { name: string; color?: string | undefined; description?: string | null | undefined },
): Label {
  if (findLabel(repository, wanted.name)) throw invalid("Label", "name", { code: "already_exists" });
  const color = (wanted.color ?? "ededed").replace(/^#/, "");
  if (!/^[0-9a-f]{6}$/i.test(color)) throw invalid("Label", "color", { code: "invalid" });
  const label = { id: world.nextId(), name: wanted.name, color, description: wanted.description ?? null };
  repository.labels.push(label);
  const fields = { label: renderLabel(world, repository, label) };
  world.emit({ event: "label", action: "created", repository, sender, fields });
  return label;
}

export function updateLabel(
  world: World,
  repository: Repository,
  sender: Account,
  label: Label,
  wanted: { name?: string | undefined; color?: string | undefined; description?: string | null | undefined },
): void {
  const changes: Record<string, unknown> = {};
  if (wanted.name !== undefined && wanted.name !== label.name) {
    const other = findLabel(repository, wanted.name);
    if (other !== undefined && other !== label) throw invalid("Label", "name", { code: "already_exists" });
    changes["name"] = { from: label.name };
    label.name = wanted.name;
  }
  if (wanted.color !== undefined && wanted.color !== label.color) {
    changes["color"] = { from: label.color };
    label.color = wanted.color;
  }
  if (wanted.description !== undefined && wanted.description !== label.description) {
    changes["description"] = { from: label.description ?? "" };
    label.description = wanted.description;
  }
  if (Object.keys(changes).length === 0) return;
  const fields = { label: renderLabel(world, repository, label), changes };
  world.emit({ event: "label", action: "edited", repository, sender, fields });
}

export function deleteLabel(world: World, repository: Repository, sender: Account, label: Label): void {
  for (const issue of repository.issues.values()) {
    if (issue.labels.includes(label)) removeLabel(world, repository, sender, issue, label);
  }
  repository.labels.splice(repository.labels.indexOf(label), 1);
  const fields = { label: renderLabel(world, repository, label) };
  world.emit({ event: "label", action: "deleted", repository, sender, fields });
}

/** Adds labels. As on GitHub, creates those that the repository does not have. */
export function addLabels(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  names: readonly string[],
): void {
  if (names.some((name) => name.trim() === "")) throw new ApiError(422, "Validation Failed");
  for (const name of names) {
    const label = findLabel(repository, name) ?? createLabel(world, repository, sender, { name });
    if (issue.labels.includes(label)) continue;
    issue.labels.push(label);
    stampUpdated(world, issue);
    emitIssue(world, repository, issue, sender, "labeled", { label: renderLabel(world, repository, label) });
  }
}

/** Removes one label. Throws 404 if the issue does not have it. */
export function removeLabelByName(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  name: string,
): void {
  const label = issue.labels.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  if (label === undefined) {
    throw findLabel(repository, name) ? new ApiError(404, "Label does not exist") : notFound();
  }
  removeLabel(world, repository, sender, issue, label);
}

function removeLabel(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  label: Label,
): void {
  issue.labels = issue.labels.filter((entry) => entry !== label);
  stampUpdated(world, issue);
  emitIssue(world, repository, issue, sender, "unlabeled", { label: renderLabel(world, repository, label) });
}

/** Replaces the issue's labels by exactly these. */
export function setLabels(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  names: readonly string[],
): void {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  for (const label of issue.labels) {
    if (!wanted.has(label.name.toLowerCase())) removeLabel(world, repository, sender, issue, label);
  }
  addLabels(world, repository, sender, issue, names);
}
