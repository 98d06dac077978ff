import { wake } from "../agents/agent-changes.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { approvesPlan, deniesPlan, type PersonsAct, withWords } from "../planning/on-plan-edited.ts";
import { personNamed } from "../status/person-named.ts";
import { type ApprovalRow, SHORT_HASH } from "./approval.ts";

/** Characters; a shorter prefix could match by chance. */
const LEAST_HASH = 6;

const NONE_ASKED = decisionOnly("nothing_asked", "no call of this issue's agents waits for a person", {
  change: "`/flotilla continue` lets an agent that waits at a limit continue",
});

/**
 * Handles `/flotilla approve [hash]`: that call, or the only one that waits, may pass once. The agent reads the words below
 * the command; "" where there are none.
 */
export function onApprove(
  event: PersonsAct,
  view: IssueState,
  { rest, words }: { readonly rest: string; readonly words: string },
): ChangeSet {
  const given = rest.trim().replaceAll("`", "").toLowerCase();
  const asked = view.asked.filter(
    (row) => given === "" || (given.length >= LEAST_HASH && row.hash.startsWith(given)),
  );
  const [row] = asked;
  if (view.asked.length === 0) return NONE_ASKED;
  if (row === undefined)
    return whichOf(view.asked, `no call that waits for a person has the hash ${inlineCode(given)}`);
  if (asked.length > 1) return whichOf(asked, `${asked.length} calls wait for a person`);
  if (row.kind === "plan") return approvesPlan(event, view, row, { edited: null, words });
  const by = event.actor.login;
  return {
    ...verdict(
      event,
      view,
      row,
      row.kind === "weakened_tests"
        ? withWords(`${personNamed(by)} accepts what the change does to the tests: ${call(row)}.`, words)
        : withWords(
            `${personNamed(by)} lets this call pass once: ${call(row)}. Make it again exactly as it was.`,
            words,
          ),
    ),
    approvals: [{ id: row.id, state: "granted", by, reason: null }],
  };
}

/** Names the commands that approve one of these calls. */
function whichOf(asked: readonly ApprovalRow[], reason: string): ChangeSet {
  return decisionOnly("which_call", reason, {
    change: asked.map(({ hash }) => `\`/flotilla approve ${hash.slice(0, SHORT_HASH)}\``).join(" or "),
    shown: true,
  });
}

/** Handles `/flotilla deny <reason>`: none of the waiting calls may be made; the agents get the reason. */
export function onDeny(event: PersonsAct, view: IssueState, rest: string): ChangeSet {
  if (view.asked.length === 0) return NONE_ASKED;
  const by = event.actor.login;
  const reason = rest.trim() === "" ? "no reason was given" : rest.trim();
  return mergeChanges(
    ...view.asked.map((row) =>
      row.kind === "plan"
        ? deniesPlan(event, view, row, reason)
        : mergeChanges(
            { ...NO_CHANGES, approvals: [{ id: row.id, state: "denied", by, reason }] },
            verdict(
              event,
              view,
              row,
              row.kind === "weakened_tests"
                ? `${personNamed(by)} says no to what the change does to the tests: ${call(row)}. Why: ${reason}.`
                : `${personNamed(by)} says no to this call: ${call(row)}. Why: ${reason}. Do without it.`,
            ),
          ),
    ),
  );
}

function call({ tool, hash }: ApprovalRow): string {
  return `${tool} (${hash.slice(0, SHORT_HASH)})`;
}

/** Returns one wake for each call, so that each answer is delivered. */
function verdict(event: PersonsAct, view: IssueState, row: ApprovalRow, said: string): ChangeSet {
  const agent = view.agents.find(({ id }) => id === row.agentId);
  if (agent === undefined) return NO_CHANGES;
  const told = wake(event, agent, "approval", said);
  return { ...NO_CHANGES, wakes: [{ ...told, key: `${told.key}:${row.id}` }] };
}
