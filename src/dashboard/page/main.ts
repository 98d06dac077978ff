/// <reference lib="dom" />
import { html, render } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../api/overview.ts";
import { AgentPage } from "./agent-page.ts";
import { type Me, Refused, read, signIn } from "./ask.ts";
import { taskState } from "./board.ts";
import { CostsView } from "./costs-view.ts";
import { FailuresView } from "./failures-view.ts";
import { Frame } from "./frame.ts";
import { GoalsView } from "./goals-view.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { MergeQueueView } from "./merge-queue-view.ts";
import { NotFoundView } from "./not-found-view.ts";
import { OverviewView } from "./overview-view.ts";
import { PeopleView } from "./people-view.ts";
import { PLACES, type Place } from "./places.ts";
import { Reading } from "./reading.ts";
import { SchedulesView } from "./schedules-view.ts";
import { ScopePage } from "./scope-page.ts";
import { SettingsView } from "./settings-view.ts";
import { SignInView } from "./sign-in-view.ts";
import { TasksView } from "./tasks-view.ts";
import { TokenView } from "./token-view.ts";
import { WorkView } from "./work-view.ts";

const root = document.getElementById("app");

/** What each place of the navigation shows. */
const VIEWS: Readonly<Record<Place, (props: { readonly me: Me }) => unknown>> = {
  "/": OverviewPage,
  "/work": WorkView,
  "/merge-queue": MergeQueueView,
  "/goals": GoalsView,
  "/schedules": SchedulesView,
  "/costs": CostsView,
  "/failures": FailuresView,
  "/people": PeopleView,
  "/settings": SettingsView,
};

/** Chooses the view for the address. Links load the page again, so every address can be bookmarked. */
function viewOf(me: Me) {
  const place = PLACES.find(([path]) => path === location.pathname)?.[0];
  if (place !== undefined) return html`<${VIEWS[place]} me=${me} />`;
  const [, what, ...more] = location.pathname.split("/").map(decoded);
  const [one = ""] = more;
  const repository = `${one}/${more[1] ?? ""}`;
  switch (`${what}/${more.length}`) {
    case "agents/1":
      return html`<${AgentPage} me=${me} agent=${one} />`;
    case "repositories/2":
      return html`<${ScopePage} me=${me} repository=${repository} goal=${null} />`;
    case "goals/3":
      return html`<${ScopePage} me=${me} repository=${repository} goal=${Number(more[2])} />`;
    case "tasks/1": {
      const state = taskState(one);
      return state === undefined
        ? html`<${NotFoundView} me=${me} />`
        : html`<${TasksView} me=${me} state=${state} />`;
    }
    case "token/0":
      return html`<${TokenView} me=${me} />`;
    case "queues/0":
      return html`<${FailuresView} me=${me} />`;
    default:
      return html`<${NotFoundView} me=${me} />`;
  }
}

/** An address may have a percent sign that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function OverviewPage({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const { body, refused } = useRead<Overview>("/api/overview", version);
  return html`<${Frame} me=${me} lost=${lost}>
    ${body === null ? html`<h1 class="unseen">Inbox</h1><${Reading} refused=${refused} again=${changed} />` : html`<${OverviewView} seen=${body} version=${version} changed=${changed} />`}
  <//>`;
}

function App() {
  const [me, setMe] = useState<Me | "nobody" | "loading" | "away">("loading");
  const start = (): void => void begin().then(setMe, () => setMe("away"));
  useEffect(start, []);
  if (me === "loading") return html`<p class="empty" role="status">Loading…</p>`;
  if (me === "away") return html`<${NoAnswer} again=${start} />`;
  return me === "nobody"
    ? html`<${SignInView} byGitHub=${root?.dataset["signIn"] === "github"} />`
    : viewOf(me);
}

/** Nobody knows who is looking, because Flotilla does not say. */
function NoAnswer({ again }: { readonly again: () => void }) {
  return html`<main id="main" class="sign-in">
    <h1>Flotilla is not responding</h1>
    <p role="status">The page could not ask who you are. Flotilla may be starting: try again in a moment.</p>
    <p class="acts"><button type="button" onClick=${again}>Try again</button></p>
  </main>`;
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
    if (error instanceof Refused && error.status < 500) return "nobody";
    throw error;
  });
}

if (root !== null) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
