import { html } from "htm/preact";

/** A text in which code stands between backticks, as on GitHub: it is set as code, everything else as text. */
export function Words({ text }: { readonly text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
