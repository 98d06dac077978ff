/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { doneWords } from "./act-words.ts";
import { useAct } from "./use-act.ts";
import { Words } from "./words.ts";

interface ActButtonProps {
  readonly path: string;
  readonly children: string;
  /** The subject of the act, for people who cannot see where the button is. */
  readonly about: string;
  readonly body?: object;
  /** True if the act cannot be undone; then the button asks for confirmation. */
  readonly sure?: boolean;
  readonly done: () => void;
}

/** A button that acts on the running Flotilla and shows why an act was refused. */
export function ActButton({ path, children, about, body = {}, sure = false, done }: ActButtonProps) {
  const [asked, setAsked] = useState(false);
  const { busy, refused, run } = useAct(done);
  const go = async (): Promise<void> => {
    if (sure && !asked) {
      setAsked(true);
      return;
    }
    await run({ path, body, said: () => doneWords(path, { about, body, changed: done }) });
    setAsked(false);
  };
  return html`<span class="act">
    <button
      type="button"
      class=${asked ? "danger" : ""}
      aria-disabled=${busy}
      onClick=${() => void go()}
      onBlur=${() => setAsked(false)}
    >
      ${asked ? `Really ${children.toLowerCase()}?` : children}<span class="unseen"> ${about}</span>
    </button>
    <span role="status" class="refused"><${Words} text=${refused} /></span>
  </span>`;
}
