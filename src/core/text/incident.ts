import type { IncidentFound } from "../incident.ts";
import { pauseLift } from "../scope.ts";

/** What people read of an incident. `nameOf` gives `owner/name` of a repository's numeric id. */
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
      `Agents of ${issues.length} issues failed alike within a short time, so ${what} is paused: nothing starts or wakes.${options.notify.map((login) => ` @${login}`).join("")}`,
      "",
      "```text",
      found.text.replaceAll("```", "'''").slice(0, 2000),
      "```",
      "",
      `Seen in ${issues.join(", ")}.`,
      "",
      `One agent is let go now and then to see whether it is over; as soon as it gets through, all go on by themselves (${pauseLift({ scope: found.scope, holder: "incident" })}).`,
    ].join("\n"),
  };
}

export const INCIDENT_OVER = "An agent got through again: the pause is lifted, and all go on.";
