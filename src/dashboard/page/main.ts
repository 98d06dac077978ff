/// <reference lib="dom" />
import { html, render } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../api/overview.ts";
import { AgentPage } from "./agent-page.ts";
import { type Me, Refused, read, signIn } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { OverviewView } from "./overview-view.ts";
import { QueuesView } from "./queues-view.ts";
import { ScopePage } from "./scope-page.ts";
import { SignInView } from "./sign-in-view.ts";
import { TasksView } from "./tasks-view.ts";
import { TokenView } from "./token-view.ts";

const root = document.getElementById("app");

/** Chooses the view for the address. Links load the page again, so every address can be bookmarked. */
function viewOf(me: Me) {
  const [, what, ...more] = location.pathname.split("/").map(decodeURIComponent);
  const [one = ""] = more;
  if (what === "agents") return html`<${AgentPage} me=${me} agent=${one} />`;
  const repository = `${one}/${more[1] ?? ""}`;
  if (what === "repositories") return html`<${ScopePage} me=${me} repository=${repository} goal=${null} />`;
  if (what === "goals")
    return html`<${ScopePage} me=${me} repository=${repository} goal=${Number(more[2])} />`;
  if (what === "tasks") return html`<${TasksView} me=${me} state=${one} />`;
  if (what === "token") return html`<${TokenView} me=${me} />`;
  if (what === "queues") return html`<${QueuesView} me=${me} />`;
  return html`<${OverviewPage} me=${me} />`;
}

function OverviewPage({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const { body } = useRead<Overview>("/api/overview", version);
  return html`<${Frame} me=${me} lost=${lost}>
    ${body === null ? html`<p class="empty" role="status">Loading…</p>` : html`<${OverviewView} seen=${body} version=${version} changed=${changed} />`}
  <//>`;
}

function App() {
  const [me, setMe] = useState<Me | "nobody" | "loading">("loading");
  useEffect(() => {
    begin().then(setMe, () => setMe("nobody"));
  }, []);
  if (me === "loading") return html`<p class="empty" role="status">Loading…</p>`;
  return me === "nobody"
    ? html`<${SignInView} byGitHub=${root?.dataset["signIn"] === "github"} />`
    : viewOf(me);
}

/**
 * Signs in if the link carries the token. The token is in the fragment, so no server logs it; it is removed from the
 * address at once.
 */
async function begin(): Promise<Me | "nobody"> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    await signIn(token).catch(() => undefined);
  }
  return read<Me>("/api/me").catch((error: unknown) => {
    if (error instanceof Refused) return "nobody";
    throw error;
  });
}

if (root !== null) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
