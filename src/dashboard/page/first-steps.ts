/// <reference lib="dom" />
import { html } from "htm/preact";
import { useRead } from "./live.ts";
import { Words } from "./words.ts";

interface Step {
  readonly name: keyof typeof STEPS;
  readonly done: boolean;
  readonly detail: string | null;
}

/** What each step is, and what to do while it is not done. */
const STEPS = {
  app: [
    "The GitHub App is installed",
    "Run `flotilla init`: it makes the App and leads to the page where you install it on a repository.",
  ],
  webhook: [
    "GitHub's first webhook has arrived",
    "GitHub sends it when you open an issue. If none comes, `flotilla doctor` says why.",
  ],
  label: [
    "A repository has a label that starts an agent",
    "Create one, such as `feature`, on the labels page of the repository.",
  ],
  agent: ["The first agent has started", "Put that label on an issue, or press Start work below."],
  model: [
    "The model has answered",
    "Wait for the agent's first turn. If it fails, `flotilla doctor` tries the model's address and key.",
  ],
} as const;

/** What a new Flotilla still needs, ticked as it comes. */
export function FirstSteps({ version }: { readonly version: number }) {
  const { body } = useRead<{ readonly steps: readonly Step[] }>("/api/first-steps", version);
  if (body === null || body.steps.every(({ done }) => done)) return null;
  const next = body.steps.find(({ done }) => !done);
  const count = body.steps.filter(({ done }) => done).length;
  return html`<section class="first-start" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <p class="of" role="status">${count} of ${body.steps.length} done</p>
    <ol class="steps">
      ${body.steps.map(
        (
          step,
        ) => html`<li key=${step.name} class=${step.done ? "done" : ""} aria-current=${step === next ? "step" : undefined}>
          <span class="tick" aria-hidden="true">${step.done ? "✓" : ""}</span>
          <div>
            <p><span class="unseen">${step.done ? "Done: " : "Not yet: "}</span>${STEPS[step.name][0]}</p>
            ${step.detail === null ? null : html`<p class="of"><${Words} text=${step.detail} /></p>`}
            ${step.done ? null : html`<p class="of"><${Words} text=${STEPS[step.name][1]} /></p>`}
          </div>
        </li>`,
      )}
    </ol>
  </section>`;
}
