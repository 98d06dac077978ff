/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "./ask.ts";
import { changesIn, type FileChange } from "./diff-files.ts";

type Diff =
  | { readonly files: readonly string[]; readonly patch: string; readonly cut: boolean }
  | { readonly why: string };

/** Lines of a file, and of all files together, that are shown without a click. */
const SMALL_FILE = 40;
const SMALL = 120;
/** Files that are named at first. */
const FILES = 20;

/** The committed changes of the agent's branch. Reads them again when `commits` grows, because that runs git. */
export function DiffView({ path, commits }: { readonly path: string; readonly commits: number }) {
  const [diff, setDiff] = useState<Diff | null>(null);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    let current = true;
    read<{ diff: Diff }>(`${path}/diff`).then(
      (body) => current && setDiff(body.diff),
      () => current && setDiff({ why: "Flotilla cannot read the changes at the moment." }),
    );
    return () => {
      current = false;
    };
  }, [path, commits]);
  if (diff === null) return html`<p class="empty" role="status">Loading…</p>`;
  if ("why" in diff) return html`<p class="empty">${diff.why}</p>`;
  if (diff.files.length === 0) return html`<p class="empty">Nothing is committed yet.</p>`;
  const files = changesIn(diff.patch, diff.files);
  const lines = files.reduce((total, file) => total + file.lines.length, 0);
  return html`<div class="diff">
    <p>
      ${files.length} ${files.length === 1 ? "file" : "files"}, <${Counts} added=${sum(files, "added")} removed=${sum(files, "removed")} />${diff.cut ? "; the changes are too long to be shown whole" : ""}
    </p>
    ${(isWhole ? files : files.slice(0, FILES)).map((file) => html`<${File} key=${file.path} file=${file} isShort=${lines <= SMALL && file.lines.length <= SMALL_FILE} isCut=${diff.cut} />`)}
    ${
      isWhole || files.length <= FILES
        ? null
        : html`<p class="acts"><button type="button" onClick=${() => setWhole(true)}>Show ${files.length - FILES} more files</button></p>`
    }
  </div>`;
}

function sum(files: readonly FileChange[], of: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[of], 0);
}

interface FileProps {
  readonly file: FileChange;
  readonly isShort: boolean;
  readonly isCut: boolean;
}

/** One file: its patch is drawn only while it is open. */
function File({ file, isShort, isCut }: FileProps) {
  const [isOpen, setOpen] = useState(isShort);
  const { path, lines, what } = file;
  return html`<details open=${isOpen} onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
    <summary>
      <code>${path}</code> <${Counts} added=${file.added} removed=${file.removed} />${what === "" ? null : html` <span class="of">${what}</span>`}
    </summary>
    ${
      !isOpen
        ? null
        : lines.length === 0
          ? html`<p class="empty">${isCut ? "This part of the changes is not shown: look at it on GitHub." : "It has no text to show."}</p>`
          : html`<pre tabindex="0" aria-label=${`Changes of ${path}`}>${lines.map((line, index) => html`<span key=${index} class=${toneOf(line)}>${line}${"\n"}</span>`)}</pre>`
    }
  </details>`;
}

/** How many lines came and went. */
function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return html`<span class="counts"><span class="came">+${added}</span> <span class="went">−${removed}</span><span class="unseen"> lines</span></span>`;
}

function toneOf(line: string): string {
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
