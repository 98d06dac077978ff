import { inlineCode } from "../messages/inline-code.ts";

export const TRIAGE_OUTCOMES = [
  "duplicate_of",
  "being_done_in",
  "belongs_elsewhere",
  "needs_information",
  "ready",
] as const;
export const TRIAGE_SIZES = ["small", "medium", "large"] as const;

/** What an agent of triage says of an issue, as its tool takes it. Its texts are safe Markdown, all but the reason of one line. */
export interface TriageArguments {
  readonly outcome: (typeof TRIAGE_OUTCOMES)[number];
  readonly reason: string;
  readonly number?: number | undefined;
  readonly where?: string | undefined;
  readonly questions?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly size?: (typeof TRIAGE_SIZES)[number] | undefined;
}

/** What an issue needs next. */
export type TriageOutcome = { readonly reason: string } & (
  | { readonly outcome: "duplicate_of" | "being_done_in"; readonly number: number }
  | { readonly outcome: "belongs_elsewhere"; readonly where: string }
  | { readonly outcome: "needs_information"; readonly questions: readonly string[] }
  | {
      readonly outcome: "ready";
      readonly labels: readonly string[];
      readonly size: (typeof TRIAGE_SIZES)[number];
    }
);

/** Another issue or pull request, as it is now. */
export interface TriageReference {
  readonly state: "open" | "closed";
  readonly isPullRequest: boolean;
}

/** Returns the outcome, or in words for the model what is missing for it. */
export function triageOutcome(
  given: TriageArguments,
  own: number,
): TriageOutcome | { readonly fault: string } {
  const { outcome, reason, number, where, questions, labels, size } = given;
  switch (outcome) {
    case "duplicate_of":
    case "being_done_in":
      if (number === undefined) return { fault: `${outcome} needs \`number\`: find it with search_issues.` };
      return number === own
        ? { fault: `#${number} is your own issue: name the other one.` }
        : { outcome, reason, number };
    case "belongs_elsewhere":
      return where === undefined
        ? { fault: "belongs_elsewhere needs `where`: the repository, project or place that it belongs to." }
        : { outcome, reason, where };
    case "needs_information":
      return questions === undefined
        ? { fault: "needs_information needs `questions`: one to three." }
        : { outcome, reason, questions };
    case "ready":
      return size === undefined || labels === undefined
        ? { fault: "ready needs `labels`, which may be empty, and `size`." }
        : { outcome, reason, labels, size };
  }
}

/** What became of the labels of an issue that is ready, as the repository spells them. */
export type TriageLabels =
  | { readonly suggested: readonly string[] }
  /** `gone`: the repository no longer had it when the others were put. */
  | { readonly put: readonly string[]; readonly gone: readonly string[] };

/**
 * Returns the comment that tells people the outcome, and what they can do next. `about` is null where there is no other
 * issue to tell of.
 */
export function triageComment(
  found: TriageOutcome,
  about: TriageReference | null,
  labels: TriageLabels,
): string {
  return [...finding(found, about, labels), "", `Next: ${nextStep(found, labels)}`].join("\n");
}

function finding(
  found: TriageOutcome,
  about: TriageReference | null,
  labels: TriageLabels,
): readonly string[] {
  const { reason } = found;
  switch (found.outcome) {
    case "duplicate_of":
      return [`**Triage: this looks like a duplicate of #${found.number}**${toldOf(about)}.`, "", reason];
    case "being_done_in":
      return [`**Triage: this seems to be done in #${found.number}**${toldOf(about)}.`, "", reason];
    case "belongs_elsewhere":
      return ["**Triage: this seems to belong elsewhere.**", "", `Where: ${found.where}`, "", reason];
    case "needs_information":
      return [
        "**Triage: this needs more information.**",
        "",
        reason,
        "",
        ...found.questions.map((question, index) => `${index + 1}. ${question}`),
      ];
    case "ready":
      return [
        `**Triage: this is ready to be worked on. Size: ${found.size}.**`,
        "",
        ...labelLines(labels).flatMap((line) => [line, ""]),
        reason,
      ];
  }
}

const toldOf = (about: TriageReference | null): string =>
  about === null ? "" : ` (${about.isPullRequest ? "pull request" : "issue"}, ${about.state})`;

function labelLines(labels: TriageLabels): readonly string[] {
  if ("suggested" in labels) return labelLine("Suggested labels", labels.suggested);
  return [
    ...labelLine("Labels added", labels.put),
    ...labelLine("No longer in the repository, so left out", labels.gone),
  ];
}

const labelLine = (what: string, labels: readonly string[]): readonly string[] =>
  labels.length === 0 ? [] : [`${what}: ${labels.map((name) => inlineCode(name)).join(", ")}`];

function nextStep(found: TriageOutcome, labels: TriageLabels): string {
  switch (found.outcome) {
    case "duplicate_of":
      return `compare it with #${found.number}. If it is the same, close this issue as a duplicate. If not, say here what is different, and add a label that starts the work.`;
    case "being_done_in":
      return `look at #${found.number}. If it covers this, wait for it, or close this issue. If not, say here what is missing.`;
    case "belongs_elsewhere":
      return "if you agree, move or open the issue there, and close this one. If not, add a label that starts the work.";
    case "needs_information":
      return "answer the questions here. Then add a label that starts the work.";
    case "ready":
      return "put" in labels && labels.put.length > 0
        ? "nothing, if the labels are right. Otherwise change them."
        : "add a label that starts the work, or say `/flotilla start` with a role.";
  }
}
