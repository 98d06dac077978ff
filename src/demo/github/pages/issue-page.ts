import { Marked } from "marked";
import { type FileDiff, readDiff } from "../git/read-diff.ts";
import { type Html, html, page } from "../render/html.ts";
import { commentsOf } from "../render/issue.ts";
import type { Issue, Repository } from "../world/records.ts";
import { fullNameOf } from "../world/world.ts";

/** Builds the page of one issue or pull request: text, labels, comments, diff, and what a person can do with it. */
export async function issuePageOf(repository: Repository, issue: Issue, person: string): Promise<string> {
  const { pull } = issue;
  const files = pull ? await readDiff(repository.directory, pull.mergeBaseSha, pull.headSha) : [];
  const path = `/${fullNameOf(repository)}/${pull ? "pull" : "issues"}/${issue.number}`;
  const state = pull?.mergedAt ? "merged" : issue.state;
  const entries = [issue, ...commentsOf(repository, issue.number)];
  const branches = pull ? html`<p><code>${pull.headRef}</code> into <code>${pull.baseRef}</code></p>` : "";
  const body = html`<h1><a href="/${fullNameOf(repository)}">${fullNameOf(repository)}</a> ${issue.title} #${issue.number}</h1>
<p><span class="state ${issue.state}">${state}</span> opened by ${issue.author.login} ${labelsOf(issue)}</p>${branches}
${entries.map((entry) => html`<section class="box"><header>${entry.author.login}, ${entry.createdAt}</header><div class="text">${rendered(entry.body)}</div></section>`)}
${files.map(diffOf)}<h2>As ${person}</h2>${formsFor(issue, path)}`;
  return page(`${issue.title} #${issue.number}`, body);
}

export function labelsOf(issue: Issue): Html[] {
  return issue.labels.map(
    (label) => html`<span class="label" style="background:#${label.color}33">${label.name}</span>`,
  );
}

function diffOf(file: FileDiff): Html {
  const lines = (file.patch ?? "").split("\n").map((line) => {
    const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "";
    return html`<span class="${kind}">${line}</span>\n`;
  });
  return html`<section class="box"><header>${file.path} (${file.status})</header><pre>${lines}</pre></section>`;
}

function formsFor(issue: Issue, path: string): Html {
  const button = (what: string, text: string): Html =>
    html`<form method="post" action="${path}"><button name="act" value="${what}">${text}</button></form>`;
  const merge = issue.pull && issue.state === "open" ? button("merge", "Merge") : "";
  return html`<form method="post" action="${path}"><textarea name="body" required></textarea><button name="act" value="comment">Comment</button></form><br>
<form method="post" action="${path}"><input name="label" required placeholder="label"><button name="act" value="label">Add label</button></form>
${issue.state === "open" ? button("close", "Close") : button("reopen", "Reopen")}${merge}`;
}

/** Shows HTML in a text as source, except the tags that our own comments use to fold text. */
const markdown = new Marked({
  async: false,
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) =>
      html`${text}`.html.replaceAll(/&lt;(\/?(?:details|summary|sub))&gt;/g, (_, tag: string) => `<${tag}>`),
  },
});

/** Renders Markdown as GitHub does, without HTML comments. */
function rendered(body: string | null): Html {
  const seen = (body ?? "").replaceAll(/<!--.*?-->/gs, "").trim();
  return { html: markdown.parse(seen, { async: false }) };
}
