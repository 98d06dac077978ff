import { html } from "htm/preact";
import type { RepositoryConfigView } from "../api/repository-config-json.ts";
import { Since } from "./moments.ts";
import { Words } from "./words.ts";

/** The state of the repository's own file: whether it applies, or what is wrong with it and what to do. */
export function RepositoryConfigFacts({ file }: { readonly file: RepositoryConfigView }) {
  const { state, what, next, faults, url, read_at: at } = file;
  const isFaulty = state === "faulty";
  return html`<div class=${isFaulty ? "notice" : "of"}>
    <p>
      ${what}.${next === null ? null : html` <${Words} text=${`${next}.`} />`}${" "}
      ${url === null ? null : html`<a href=${url}>View the file</a>${", "}`}
      ${at === null ? null : html`<span>read <${Since} at=${at} /> ago</span>`}
    </p>
    ${isFaulty ? html`<pre tabindex="0" role="group" aria-label="Faults in the file">${faults.join("\n")}</pre>` : null}
  </div>`;
}
