import { type ApprovalRow, SHORT_HASH } from "../approval.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { personNamed } from "../text/person-named.ts";
import { wake } from "./on-issue.ts";
import { approvesPlan, deniesPlan, type PersonsAct } from "./on-plan-edited.ts";

/** Shorter ones would be a guess. */
const LEAST_HASH = 6;

const NONE_ASKED = decided("nothing_asked", "no call of this issue's agents waits for a person", {
  change: "`/flotilla continue` lets an agent that waits at a limit continue",
});

/** `/flotilla approve [hash]`: that call, or the only one that waits, may pass once. */
export function onApprove(occurrence: PersonsAct, view: View, rest: string): Reaction {
  const given = rest.trim().replaceAll("`", "").toLowerCase();
  const asked = view.asked.filter(
    (row) => given === "" || (given.length >= LEAST_HASH && row.hash.startsWith(given)),
  );
  const [row] = asked;
  if (row === undefined) return NONE_ASKED;
  if (asked.length > 1)
    return decided("which_call", `${asked.length} calls wait for a person`, {
      change: asked.map(({ hash }) => `\`/flotilla approve ${hash.slice(0, SHORT_HASH)}\``).join(" or "),
      shown: true,
    });
  if (row.kind === "plan") return approvesPlan(occurrence, view, row, null);
  const by = occurrence.actor.login;
  return {
    ...verdict(
      occurrence,
      view,
      row,
      `${personNamed(by)} lets this call pass once: ${call(row)}. Make it again exactly as it was.`,
    ),
    approvals: [{ id: row.id, state: "granted", by, reason: null }],
  };
}

/** `/flotilla deny <reason>`: none of the calls that wait may be made; the agents are told why. */
export function onDeny(occurrence: PersonsAct, view: View, rest: string): Reaction {
  if (view.asked.length === 0) return NONE_ASKED;
  const by = occurrence.actor.login;
  const reason = rest.trim() === "" ? "no reason was given" : rest.trim();
  return joined(
    ...view.asked.map((row) =>
      row.kind === "plan"
        ? deniesPlan(occurrence, view, row, reason)
        : joined(
            { ...NOTHING, approvals: [{ id: row.id, state: "denied", by, reason }] },
            verdict(
              occurrence,
              view,
              row,
              `${personNamed(by)} says no to this call: ${call(row)}. Why: ${reason}. Do without it.`,
            ),
          ),
    ),
  );
}

function call({ tool, hash }: ApprovalRow): string {
  return `${tool} (${hash.slice(0, SHORT_HASH)})`;
}

/** One wake for each call, so that each answer is told. */
function verdict(occurrence: PersonsAct, view: View, row: ApprovalRow, said: string): Reaction {
  const agent = view.agents.find(({ id }) => id === row.agentId);
  if (agent === undefined) return NOTHING;
  const told = wake(occurrence, agent, "approval", said);
  return { ...NOTHING, wakes: [{ ...told, key: `${told.key}:${row.id}` }] };
}
