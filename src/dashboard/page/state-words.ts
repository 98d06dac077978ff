import { html } from "htm/preact";

/** What a state is called on the page, and which of the few colours it has. */
const STATES: Readonly<Record<string, readonly [word: string, tone: string]>> = {
  CREATED: ["about to start", "quiet"],
  ACTIVE: ["works", "good"],
  SLEEPING: ["sleeps", "calm"],
  ESCALATED: ["needs a person", "warn"],
  COMPLETED: ["completed", "quiet"],
  FAILED: ["failed", "bad"],
  CANCELLED: ["cancelled", "quiet"],
};

/** A state in words, with a mark in its colour; the word alone says all. */
export function State({ state }: { readonly state: string }) {
  const [word, tone] = STATES[state] ?? [state.toLowerCase().replaceAll("_", " "), "quiet"];
  return html`<span class=${`state ${tone}`}>${word}</span>`;
}

/** `waiting_agent` → `waiting agent`. */
export function plainly(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}
