import { html } from "htm/preact";

/** Formats a text in which backticks enclose code, as on GitHub: sets that part as code and the rest as plain text. */
export function Words({ text }: { readonly text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
