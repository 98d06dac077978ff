/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { LocalHandoff } from "../../domain/conversation/local-handoff.ts";
import { read } from "./ask.ts";
import { CopyButton } from "./copy-button.ts";

/** How a person continues the work on their own machine: the commands, and a text for their own agent. */
export function ContinueLocally({ path }: { readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details class="locally" onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
    <summary>Continue locally</summary>
    ${isOpen ? html`<${Steps} path=${path} />` : null}
  </details>`;
}

function Steps({ path }: { readonly path: string }) {
  const [given, setGiven] = useState<LocalHandoff | "loading" | "failed">("loading");
  useEffect(() => {
    read<{ handoff: LocalHandoff }>(`${path}/handoff`).then(
      (body) => setGiven(body.handoff),
      () => setGiven("failed"),
    );
  }, [path]);
  if (given === "loading") return html`<p class="empty" role="status">Loading…</p>`;
  if (given === "failed")
    return html`<p class="refused" role="status">Flotilla cannot read this at the moment. Close and open it to try again.</p>`;
  const { commands, note, text } = given;
  const lines = commands.join("\n");
  return html`
    ${
      commands.length === 0
        ? null
        : html`<p>Get the work:</p>
          <pre tabindex="0" aria-label="Commands">${lines}</pre>
          <p class="acts"><${CopyButton} text=${lines}>Copy the commands<//></p>`
    }
    ${note === null ? null : html`<p>${note}</p>`}
    <p>Give this text to your own agent: it says what is to be done, what was found and what is left.</p>
    <pre tabindex="0" aria-label="Handoff">${text}</pre>
    <p class="acts"><${CopyButton} text=${text}>Copy the handoff<//></p>
  `;
}
