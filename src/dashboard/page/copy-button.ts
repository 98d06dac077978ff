/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  readonly children: string;
}

/** A button that copies a text, and says whether it did. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    setSaid((await copied(text)) ? "Copied." : "The browser refused. Select the text and copy it.");
  };
  return html`<span class="act">
    <button type="button" onClick=${() => void copy()}>${children}</button>
    <span role="status">${said}</span>
  </span>`;
}

/** Browsers offer their clipboard only to pages over HTTPS and on the same machine; for others there is the old way. */
async function copied(text: string): Promise<boolean> {
  if (window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copiedBySelection(text),
    );
  return copiedBySelection(text);
}

function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
