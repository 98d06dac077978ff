import { html } from "htm/preact";
import type { NodeJson } from "../api/node-json.ts";
import { Since } from "./moments.ts";

/** The machines that Flotilla runs on, where there is more than one. */
export function NodeList({ nodes }: { readonly nodes: readonly NodeJson[] }) {
  if (nodes.length === 0) return null;
  return html`<section aria-labelledby="machines">
    <h2 id="machines">Machines</h2>
    <ul>
      ${nodes.map(
        (node) => html`<li key=${node.name}>
          ${node.name} (${node.version}): ${node.state}<${Rest} node=${node} />
        </li>`,
      )}
    </ul>
  </section>`;
}

function Rest({ node: { state, agents, seen_at: seenAt } }: { readonly node: NodeJson }) {
  const atWork = `${agents} ${agents === 1 ? "agent" : "agents"} at work`;
  if (state === "running") return `, ${atWork}`;
  if (state === "draining") return `, ${atWork}. It starts none, and the others continue its agents.`;
  return html`, last seen <${Since} at=${seenAt} /> ago${state === "lost" ? ". Its agents continue on the others." : ""}`;
}
