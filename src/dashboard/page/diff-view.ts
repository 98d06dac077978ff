import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "./ask.ts";

type Diff =
  | { readonly files: readonly string[]; readonly patch: string; readonly cut: boolean }
  | { readonly why: string };

/** The current changes in the agent's worktree. Reads them only when opened, because that runs git. */
export function DiffView({ path }: { readonly path: string }) {
  const [open, setOpen] = useState(false);
  const [diff, setDiff] = useState<Diff | null>(null);
  useEffect(() => {
    if (!open) return;
    read<{ diff: Diff }>(`${path}/diff`).then(
      (body) => setDiff(body.diff),
      () => setDiff({ why: "Flotilla cannot read the diff at the moment." }),
    );
  }, [open]);
  return html`<details
    class="diff"
    onToggle=${({ currentTarget }: { currentTarget: { readonly open: boolean } }) => setOpen(currentTarget.open)}
  >
    <summary>Show the changes</summary>
    ${open ? content(diff) : null}
  </details>`;
}

function content(diff: Diff | null) {
  if (diff === null) return html`<p class="empty" role="status">Loading…</p>`;
  if ("why" in diff) return html`<p class="empty">${diff.why}</p>`;
  if (diff.files.length === 0) return html`<p class="empty">No changes so far.</p>`;
  return html`
    <p>${diff.files.length} ${diff.files.length === 1 ? "file" : "files"}${diff.cut ? "; the diff is truncated" : ""}</p>
    <pre tabindex="0">${diff.patch.split("\n").map((line, index) => html`<span key=${index} class=${toneOf(line)}>${line}${"\n"}</span>`)}</pre>
  `;
}

function toneOf(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
