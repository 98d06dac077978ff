/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { act } from "./ask.ts";

interface ActButtonProps {
  readonly path: string;
  readonly children: string;
  /** Whom or what it is about, for those who do not see where the button stands. */
  readonly about: string;
  readonly body?: object;
  /** What cannot be taken back is asked twice. */
  readonly sure?: boolean;
  readonly done: () => void;
}

/** A button that does something to the running Flotilla, and says when that was refused. */
export function ActButton({ path, children, about, body = {}, sure = false, done }: ActButtonProps) {
  const [state, setState] = useState<"still" | "asked" | "busy">("still");
  const [refused, setRefused] = useState("");
  const go = async (): Promise<void> => {
    if (sure && state === "still") {
      setState("asked");
      return;
    }
    setState("busy");
    setRefused("");
    try {
      await act(path, { id: crypto.randomUUID(), ...body });
      done();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
    setState("still");
  };
  return html`<span class="act">
    <button
      type="button"
      class=${state === "asked" ? "danger" : ""}
      disabled=${state === "busy"}
      onClick=${() => void go()}
      onBlur=${() => setState((now) => (now === "asked" ? "still" : now))}
    >
      ${state === "asked" ? `Really ${children.toLowerCase()}?` : children}<span class="unseen"> ${about}</span>
    </button>
    <span role="status" class="refused">${refused}</span>
  </span>`;
}
