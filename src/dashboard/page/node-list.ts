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
        ({ name, version, state, seen_at: seenAt }) => html`<li key=${name}>
          ${name} (${version}): ${state}${state === "running" ? "" : html`, last seen <${Since} at=${seenAt} /> ago`}${state === "lost" ? ". Its agents continue on the others." : ""}
        </li>`,
      )}
    </ul>
  </section>`;
}
