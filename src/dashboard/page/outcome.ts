/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "./ask.ts";
import { Words } from "./words.ts";

/** What an act has done, and the act that undoes it; undefined where it cannot be undone. */
export interface Done {
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
  readonly undo?: (() => Promise<string>) | undefined;
}

let now: Done | null = null;
const watchers = new Set<(done: Done | null) => void>();

/** Says what was done. It stays on the page until the next act, even if the act's own place has vanished. */
export function tell(done: Done | null): void {
  now = done;
  for (const watcher of watchers) watcher(done);
}

/** The live region that says what the last act has done, with its undo. */
export function Outcome() {
  const [done, setDone] = useState(now);
  const [refused, setRefused] = useState("");
  useEffect(() => {
    watchers.add(setDone);
    return () => void watchers.delete(setDone);
  }, []);
  useEffect(() => setRefused(""), [done]);
  const undo = async (): Promise<void> => {
    if (done?.undo === undefined) return;
    try {
      tell({ text: await done.undo() });
    } catch (error) {
      setRefused(whyNot(error));
    }
  };
  return html`<div class=${done === null ? "outcome nothing" : "outcome"}>
    <p role="status">
      ${done === null ? null : html`<${Words} text=${done.text} />`}${done?.link === undefined ? null : html` <a href=${done.link.href}>${done.link.text}</a>`}
      ${refused === "" ? null : html` <span class="refused"><${Words} text=${refused} /></span>`}
    </p>
    ${
      done === null
        ? null
        : html`<p class="acts">
            ${done.undo === undefined ? null : html`<button type="button" onClick=${() => void undo()}>Undo</button>`}
            <button type="button" class="plain" onClick=${() => tell(null)}>Close<span class="unseen"> this message</span></button>
          </p>`
    }
  </div>`;
}

/** Returns why an act was not carried out, as a person reads it. */
export function whyNot(error: unknown): string {
  if (error instanceof Refused) return error.message;
  // The browser throws a `TypeError` when nobody answers.
  if (error instanceof TypeError)
    return "Not connected: Flotilla does not answer. What you typed is kept; try again when it is back.";
  return error instanceof Error ? error.message : String(error);
}
