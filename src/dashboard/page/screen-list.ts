/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { AgentEvidence } from "../api/agent-evidence.ts";

type Screen = AgentEvidence["screens"][number];
type Picture = Screen["pictures"][number];

const TITLES: Readonly<Record<Picture, string>> = {
  before: "Before",
  after: "After",
  difference: "Changed pixels, in red",
};

/** Pictures of the app before and after the agent's work; nothing where none were asked for. */
export function ScreenList({
  screens,
  path,
}: {
  readonly screens: readonly Screen[] | undefined;
  readonly path: string;
}) {
  const [first] = screens ?? [];
  // The browser looked for the section before it was there.
  useEffect(() => {
    if (first !== undefined && location.hash === "#screens")
      document.getElementById("screens")?.scrollIntoView();
  }, [first === undefined]);
  if (screens === undefined || first === undefined) return null;
  const commit = first.commit.slice(0, 7);
  const same = screens.filter(({ changed }) => changed === 0);
  const other = screens.filter(({ changed }) => changed !== 0);
  return html`<section aria-labelledby="screens">
    <h2 id="screens">Pictures of the app</h2>
    <p class="of">The app at <code>${commit}</code>${first.base_commit === null ? "" : html`, compared with <code>${first.base_commit.slice(0, 7)}</code>`}. Flotilla took these pictures in the sandbox.</p>
    ${other.map((screen) => html`<${OneScreen} key=${screen.id} screen=${screen} path=${path} shown=${screen.pictures} />`)}
    ${
      same.length === 0
        ? null
        : html`<details>
          <summary>${same.length} without a change</summary>
          ${same.map((screen) => html`<${OneScreen} key=${screen.id} screen=${screen} path=${path} shown=${["after"]} />`)}
        </details>`
    }
  </section>`;
}

interface OneProps {
  readonly screen: Screen;
  readonly path: string;
  readonly shown: readonly Picture[];
}

function OneScreen({ screen, path, shown }: OneProps) {
  const { id, page, size, summary } = screen;
  const [width = "", height = ""] = size.split("x");
  return html`
    <h3>${page}, ${size.replace("x", " × ")}: ${summary}</h3>
    <div class="screens">
      ${shown.map((which) => {
        const address = `${path}/screens/${id}/${which}`;
        return html`<figure key=${which}>
          <figcaption>${TITLES[which]}</figcaption>
          <a href=${address}><img src=${address} width=${width} height=${height} loading="lazy" alt=${`${page} at ${size}: ${TITLES[which].toLowerCase()}`} /></a>
        </figure>`;
      })}
    </div>
  `;
}
