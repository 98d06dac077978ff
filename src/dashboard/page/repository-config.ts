import { html } from "htm/preact";
import type { RepositoryConfigView } from "../api/repository-config-json.ts";
import { Since } from "./moments.ts";
import { Words } from "./words.ts";

/** The state of the repository's own file: whether it applies, or what is wrong with it and what to do. */
export function RepositoryConfigFacts({ file }: { readonly file: RepositoryConfigView }) {
  const { state, what, next, faults, url, read_at: at, changes } = file;
  const isFaulty = state === "faulty";
  return html`<div class=${isFaulty ? "notice" : "of"}>
    <p>
      ${what}.${next === null ? null : html` <${Words} text=${`${next}.`} />`}${" "}
      ${url === null ? null : html`<a href=${url}>View the file</a>${", "}`}
      ${at === null ? null : html`<span>read <${Since} at=${at} /> ago</span>`}
    </p>
    ${isFaulty ? html`<pre tabindex="0" role="group" aria-label="Faults in the file">${faults.join("\n")}</pre>` : null}
  </div>
  ${changes.length === 0 ? null : html`<${Changes} changes=${changes} />`}`;
}

/** What the version in force changes, beside what the operator has. */
function Changes({ changes }: Pick<RepositoryConfigView, "changes">) {
  const refused = changes.filter((change) => change.refused !== null).length;
  return html`<details class="own-settings">
    <summary>What this file sets here (${changes.length}${refused === 0 ? "" : `, ${refused} not as it asks`})</summary>
    <table class="rows">
      <thead>
        <tr><th scope="col">Setting</th><th scope="col">In force</th><th scope="col">The operator's</th></tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ key, value, operator, refused: asked }) => html`<tr key=${key}>
            <th scope="row"><code>${key}</code></th>
            <td data-label="In force">
              ${value === null ? "not set" : html`<code>${value}</code>`}
              ${asked === null ? null : html`<span class="of">The file asks for <code>${asked}</code>; the operator's settings do not allow that.</span>`}
            </td>
            <td data-label="The operator's">${operator === null ? "not set" : html`<code>${operator}</code>`}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
