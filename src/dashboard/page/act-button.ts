/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { act } from "./ask.ts";
import { Words } from "./words.ts";

interface ActButtonProps {
  readonly path: string;
  readonly children: string;
  /** Whom or what it is about, for those who do not see where the button stands. */
  readonly about: string;
  readonly body?: object;
  /** A number that may be typed beside it: its name in the request, and what it is called. */
  readonly number?: { readonly name: string; readonly label: string };
  /** What cannot be taken back is asked twice. */
  readonly sure?: boolean;
  readonly done: () => void;
}

/** A button that does something to the running Flotilla, and says when that was refused. */
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

/** A browser says of what is no number that it is empty, which would mean the usual number. */
function numberOf({ validity, value }: HTMLInputElement): string {
  return validity.badInput ? "?" : value;
}
