import type { IncidentFound } from "./incident.ts";

/** Returns the title and body of an incident's issue. `nameOf` returns `owner/name` for a repository's numeric id. */
export function incidentIssue(
  found: IncidentFound,
  options: { nameOf: (repositoryId: number) => string; notify: readonly string[] },
): { readonly title: string; readonly body: string } {
  const issues = [
    ...new Set(found.failures.map((one) => `${options.nameOf(one.repositoryId)}#${one.issue}`)),
  ];
  const what = found.scope === "all" ? "everything" : "this repository";
  return {
    title: `Flotilla: the same failure in ${issues.length} issues`,
    body: [
      `Agents of ${issues.length} issues failed in the same way within a short time, so ${what} is paused: nothing starts or wakes.${options.notify.map((login) => ` @${login}`).join("")}`,
      "",
      "```text",
      found.text.replaceAll("```", "'''").slice(0, 2000),
      "```",
      "",
      `Seen in ${issues.join(", ")}.`,
      "",
      "Fix the cause of this error. After 5 minutes, and then at longer intervals of at most an hour, Flotilla lets one agent try again; as soon as one succeeds, all continue automatically.",
    ].join("\n"),
  };
}

export const INCIDENT_OVER = "An agent succeeded again: the pause has ended, and all agents continue.";
