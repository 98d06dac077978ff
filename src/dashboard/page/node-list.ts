import { html } from "htm/preact";
import type { NodeJson } from "../api/node-json.ts";
import { Since } from "./moments.ts";

/** The number of roles; a machine with all of them is like one without a word about roles. */
const ALL_ROLES = 4;

/** What to do about a machine that has drained itself. */
const NEXT = "Read its log; then install the version before there, or run `flotilla drain --undo` on it.";

/** The machines that Flotilla runs on, where there is more than one, and what none of them does. */
export function NodeList({
  nodes,
  standstills,
}: {
  readonly nodes: readonly NodeJson[];
  readonly standstills: readonly string[];
}) {
  if (nodes.length + standstills.length === 0) return null;
  return html`<section aria-labelledby="machines">
    <h2 id="machines">Machines</h2>
    ${standstills.map((text) => html`<p key=${text}>${text}</p>`)}
    <ul>
      ${nodes.map(
        (node) => html`<li key=${node.name}>
          ${node.name} (${node.version}${node.roles.length < ALL_ROLES ? `; ${node.roles.join(", ")}` : ""}): ${node.state}<${Rest} node=${node} />
        </li>`,
      )}
    </ul>
  </section>`;
}

function Rest({
  node: { state, roles, agents, seen_at: seenAt, drain_reason: reason },
}: {
  readonly node: NodeJson;
}) {
  const runs = roles.includes("runner");
  const atWork = runs ? `, ${agents} ${agents === 1 ? "agent" : "agents"} at work` : "";
  if (state === "running") return atWork;
  if (state === "draining")
    return `${atWork}. ${reason === null ? "" : `It drained itself: ${reason}. ${NEXT} `}${runs ? "It starts none, and the others continue its agents." : "The others do its work."}`;
  return html`, last seen <${Since} at=${seenAt} /> ago${state === "lost" && runs ? ". Its agents continue on the others." : ""}`;
}
