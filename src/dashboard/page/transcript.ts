import { html } from "htm/preact";
import { Moment } from "./moments.ts";
import type { Entry } from "./transcript-fold.ts";

/** What the agent said and called, oldest first. Others wrote the content, so it is shown as plain text. */
export function Transcript({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  return html`<ol class="transcript">
    ${entries.map((entry) => html`<li key=${entry.id} class=${entry.kind}>${shown(entry)}</li>`)}
  </ol>`;
}

function shown(entry: Entry) {
  switch (entry.kind) {
    case "said":
      return html`<p>${entry.text}</p>`;
    case "note":
      return html`<p><${Moment} at=${entry.at} /> ${entry.text}</p>`;
    case "tool":
      return html`<details>
        <summary>
          <code>${entry.tool}</code> <span class=${`status ${entry.status}`}>${entry.status}</span>${" "}
          <span class="of">${oneLine(entry.input)}</span>
        </summary>
        <pre tabindex="0">${entry.input}</pre>
        ${entry.output === null ? null : html`<pre tabindex="0">${entry.output}</pre>`}
      </details>`;
  }
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
