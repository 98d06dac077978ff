import { html } from "htm/preact";

/** A bar that shows how much is used, 0 to 1. The number beside it says the same. */
export function Bar({ part }: { readonly part: number }) {
  const width = Math.max(0, Math.min(1, part)) * 100;
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="4" class="whole" />
    <rect width=${width} height="4" class=${part > 0.8 ? "much" : "part"} />
  </svg>`;
}
