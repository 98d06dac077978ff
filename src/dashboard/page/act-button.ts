/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { act } from "./ask.ts";
import { Words } from "./words.ts";

interface ActButtonProps {
  readonly path: string;
  readonly children: string;
  /** The subject of the act, for people who cannot see where the button is. */
  readonly about: string;
  readonly body?: object;
  /** A number field beside the button: its key in the request, and its label. */
  readonly number?: { readonly name: string; readonly label: string };
  /** True if the act cannot be undone; then the button asks for confirmation. */
  readonly sure?: boolean;
  readonly done: () => void;
}

/** A button that acts on the running Flotilla and shows why an act was refused. */
export function ActButton({ path, children, about, body = {}, number, sure = false, done }: ActButtonProps) {
  const [state, setState] = useState<"still" | "asked" | "busy">("still");
  const [refused, setRefused] = useState("");
  const [typed, setTyped] = useState("");
  const go = async (): Promise<void> => {
    if (typed !== "" && !/^[1-9]\d{0,3}$/.test(typed)) {
      setRefused("Enter a whole number from 1 to 9999, or leave the field empty for the default.");
      return;
    }
    if (sure && state === "still") {
      setState("asked");
      return;
    }
    setState("busy");
    setRefused("");
    try {
      const more = number === undefined || typed === "" ? {} : { [number.name]: Number(typed) };
      await act(path, { id: crypto.randomUUID(), ...body, ...more });
      done();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
    setState("still");
  };
  return html`<span class="act">
    ${
      number === undefined
        ? null
        : html`<label>${number.label}<span class="unseen"> ${about}</span>
            <input type="number" min="1" max="9999" onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setTyped(numberOf(currentTarget))} />
          </label>`
    }
    <button
      type="button"
      class=${state === "asked" ? "danger" : ""}
      disabled=${state === "busy"}
      onClick=${() => void go()}
      onBlur=${() => setState((now) => (now === "asked" ? "still" : now))}
    >
      ${state === "asked" ? `Really ${children.toLowerCase()}?` : children}<span class="unseen"> ${about}</span>
    </button>
    <span role="status" class="refused"><${Words} text=${refused} /></span>
  </span>`;
}

/**
 * Returns the typed text. For input that is not a number the browser reports an empty value, which would mean the
 * default.
 */
function numberOf({ validity, value }: HTMLInputElement): string {
  return validity.badInput ? "?" : value;
}
