/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { readableInput, textAt } from "./call-input.ts";
import { Moment, took } from "./moments.ts";
import type { Entry } from "./transcript-fold.ts";
import { callEnd, callLine, outputText, verbOf, withoutWorktree } from "./transcript-line.ts";

/** Entries that are shown at first, the latest. */
const SHOWN = 20;

interface TranscriptProps {
  readonly entries: readonly Entry[];
  /** The agent's name, which is the name of its worktree's directory. */
  readonly agent: string;
  /** Text for an empty transcript. */
  readonly none?: string;
}

/** What the agent said and did, oldest first. Others wrote the content, so it is shown as plain text. */
export function Transcript({ entries, agent, none = "Nothing yet." }: TranscriptProps) {
  const [isWhole, setWhole] = useState(false);
  if (entries.length === 0) return html`<p class="empty">${none}</p>`;
  const hidden = isWhole ? 0 : Math.max(0, entries.length - SHOWN);
  return html`
    ${
      hidden === 0
        ? null
        : html`<p class="acts"><button type="button" onClick=${() => setWhole(true)}>Show the ${hidden} earlier ${hidden === 1 ? "entry" : "entries"}</button></p>`
    }
    <ol class="transcript">
      ${entries.slice(hidden).map((entry) => html`<li key=${entry.id} class=${entry.kind}>${shown(entry, agent)}</li>`)}
    </ol>
  `;
}

function shown(entry: Entry, agent: string) {
  switch (entry.kind) {
    case "said":
      return html`<${Said} text=${withoutWorktree(entry.text, agent)} />`;
    case "note":
      return html`<p><${Moment} at=${entry.at} /> ${withoutWorktree(entry.text, agent)}</p>`;
    case "tool":
      return html`<${Call} entry=${entry} agent=${agent} />`;
  }
}

/** Characters of a message that are shown at first. */
const SAID = 600;

/** A message of the model; a long one is whole only when it is asked for. */
function Said({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= SAID * 1.5) return html`<p>${text}</p>`;
  return html`<p>${text.slice(0, SAID).toWellFormed()}… <button type="button" class="plain" onClick=${() => setWhole(true)}>Show all of it</button></p>`;
}

type Called = Extract<Entry, { readonly kind: "tool" }>;

/** A call in one line; its arguments and its output are drawn only while it is open. */
function Call({ entry, agent }: { readonly entry: Called; readonly agent: string }) {
  const [isOpen, setOpen] = useState(false);
  const { tool, status, duration } = entry;
  const input = withoutWorktree(entry.input, agent);
  const output = entry.output === null ? null : withoutWorktree(entry.output, agent);
  const line = callLine(tool, input);
  const { verb, code, words } = line;
  const end = [callEnd(verb, status, output), duration === null || duration < 1000 ? "" : took(duration)];
  return html`<details onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
    <summary>
      ${verbOf(line, status)} ${code === "" ? null : html`<code>${clipped(code)}</code> `}${clipped(words)}
      ${" "}<span class=${`status ${isBad(end[0] ?? "", status) ? "failure" : status}`}>${end.filter((part) => part !== "").join(" · ")}</span>
    </summary>
    ${isOpen ? html`<${Detail} input=${input} output=${output} />` : null}
  </details>`;
}

function Detail({ input, output }: { readonly input: string; readonly output: string | null }) {
  const command = textAt(input, "command", "cmd");
  const given = command === "" ? readableInput(input) : command;
  const answer = output === null ? "" : outputText(output);
  return html`
    ${given === "" ? null : html`<pre tabindex="0" aria-label="Input">${given}</pre>`}
    ${output === null ? html`<p class="empty">It has no output yet.</p>` : answer === "" ? html`<p class="empty">It had no output.</p>` : html`<pre tabindex="0" aria-label="Output">${answer}</pre>`}
  `;
}

function isBad(end: string, status: string): boolean {
  return /^exit [1-9]/.test(end) || status === "failure" || status === "denied";
}

function clipped(text: string): string {
  return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}
