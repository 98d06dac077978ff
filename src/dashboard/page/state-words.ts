import { html } from "htm/preact";
import type { RunState } from "../../domain/agents/run.ts";

/** Each state's words on the page, and its tone. */
const STATES: Readonly<Record<string, readonly [word: string, tone: string]>> = {
  CREATED: ["about to start", "quiet"],
  ACTIVE: ["works", "good"],
  SLEEPING: ["sleeps", "calm"],
  ESCALATED: ["needs a person", "warn"],
  COMPLETED: ["completed", "quiet"],
  FAILED: ["failed", "bad"],
  CANCELLED: ["cancelled", "quiet"],
};

/** Returns the tone of a state, which is a class of the style sheet. */
export function toneOf(state: string): string {
  return STATES[state]?.[1] ?? "quiet";
}

/** A state in words, with a coloured symbol. The words alone say everything. */
export function State({ state }: { readonly state: string }) {
  const [word, tone] = STATES[state] ?? [state.toLowerCase().replaceAll("_", " "), "quiet"];
  return html`<span class=${`state ${tone}`}>${word}</span>`;
}

/**
 * Each phase's words: those of `PHASE_WORDS`, which a browser cannot load; a test compares the two. Its symbol has its
 * own colour, see the style sheet.
 */
const PHASES: Readonly<Record<RunState, string>> = {
  idle: "not started",
  initializing: "gets ready",
  planning: "plans",
  executing: "does the work",
  evaluating: "is being checked",
  adapting: "fixes what the checks found",
  waiting_input: "waits for an answer",
  waiting_agent: "waits for other work",
  waiting_approval: "waits for a person",
  paused: "paused",
  error: "cannot continue for now",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

/**
 * Returns the phase if it adds to the agent's state: what a working agent does, and what a sleeping one waits for. The
 * phase of any other agent is that of its last run, which may be over.
 */
export function phaseBeside(state: string, phase: RunState | null): RunState | null {
  if (state === "ACTIVE") return phase;
  return state === "SLEEPING" && phase?.startsWith("waiting_") === true ? phase : null;
}

/** A phase in words, with a coloured symbol. The words alone say everything. */
export function Phase({ phase }: { readonly phase: RunState }) {
  return html`<span class=${`phase ${phase}`}>${PHASES[phase]}</span>`;
}

/** Returns a name in plain words: `waiting_agent` → `waiting agent`. */
export function plainly(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}
