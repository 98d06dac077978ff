/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { type LostSince, reconnect } from "./live.ts";

/** What stands above a page while Flotilla does not answer, with a button to try at once. */
export function Away({ lost }: { readonly lost: LostSince }) {
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [lost]);
  if (lost === null) return null;
  const again = async (): Promise<void> => {
    setSaid("Trying…");
    setSaid((await reconnect()) ? "" : `Still no answer at ${new Date().toLocaleTimeString()}.`);
  };
  return html`<div class="notice">
    <p>Flotilla is not responding. What you see may be out of date. The page tries again by itself.</p>
    <p class="acts"><button type="button" onClick=${() => void again()}>Try again</button> <span role="status">${said}</span></p>
  </div>`;
}
