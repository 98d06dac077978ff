/**
 * The command for what a person may have meant by one of Flotilla's labels; keys are the part of its name after the
 * colon.
 */
const COMMANDS: Readonly<Record<string, string>> = {
  draft:
    "`/flotilla pause` holds the agent; the label `draft`, put before work begins, keeps the issue in DRAFT",
  unclaimed: "`/flotilla release` takes the work away from its agent, `/flotilla start` starts it",
  claimed: "`/flotilla start [role]` starts the work, `/flotilla retry` starts it again after a failure",
  "ready-for-review": "`/flotilla complete` puts the work up for review as it is",
  rejected: "a review on the pull request that requests changes",
  approved: "a review on the pull request that approves",
  "integration-failed": "a review on the pull request that requests changes",
  merged: "a merge of the pull request",
  blocked: "`/flotilla pause` holds the agent, `/flotilla cancel` ends the work",
  superseded: "`/flotilla cancel`, and a link to the issue that takes its place",
  abandoned: "`/flotilla cancel` ends the work; so does closing the issue",
};

const UNKNOWN = "`/flotilla status` shows the state of the work";

/** Returns the answer to a person who set or removed one of Flotilla's labels; posted once for each label. */
export function stateLabelComment(
  label: string,
  { by, added }: { readonly by: string; readonly added: boolean },
): string {
  const name = nameOf(label);
  const did = added ? "put" : "removed";
  const undone = added ? "removed" : "restored";
  // A person who removes the label wants the issue out of that state, so the answer says how.
  const command = added
    ? (COMMANDS[name] ?? UNKNOWN)
    : "`/flotilla start`, `release` and `cancel` move the work";
  return [
    `@${by} ${did} the label \`${shown(label)}\`. Flotilla ${undone} it: labels that begin with \`flotilla:\` only show the state of the work.`,
    "",
    `To change the state: ${command}.`,
  ].join("\n");
}

/** Returns the key of the answer: one for each known label, and one for all others. */
export function stateLabelKey(label: string, added: boolean): string {
  const name = nameOf(label);
  return `state-label-${added ? "put" : "removed"}-${Object.hasOwn(COMMANDS, name) ? name : "other"}`;
}

function nameOf(label: string): string {
  return label.toLowerCase().slice("flotilla:".length);
}

/** Returns untrusted text as code, which neither mentions nor formats anything. */
function shown(label: string): string {
  return label.replaceAll(/[`\s]+/g, " ");
}
