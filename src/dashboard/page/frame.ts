/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Me, signOut } from "./ask.ts";
import type { LostSince } from "./live.ts";
import { Outcome } from "./outcome.ts";

interface FrameProps {
  readonly me: Me;
  readonly lost: LostSince;
  readonly children?: ComponentChildren;
}

const PLACES = [
  ["/", "Overview"],
  ["/queues", "Queues"],
] as const;

/** The frame of every view: navigation, the viewer's name, and whether the page is connected. */
export function Frame({ me, lost, children }: FrameProps) {
  const who = me.viewer.kind === "operator" ? "operator" : `@${me.viewer.login}`;
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href="/">Flotilla</a>
      <nav aria-label="Views">
        ${PLACES.map(
          ([path, name]) =>
            html`<a href=${path} aria-current=${location.pathname === path ? "page" : undefined}>${name}</a>`,
        )}
      </nav>
      <${Line} lost=${lost} />
      <span class="who">
        ${who} ${me.viewer.kind === "person" ? html`<a href="/token">Token</a>` : null} <${SignOut} />
      </span>
    </header>
    <main id="main" tabindex="-1">${children}</main>
    <${Outcome} />
  `;
}

function SignOut() {
  const [refused, setRefused] = useState("");
  const out = (): void => void signOut().catch(() => setRefused("Flotilla is not responding."));
  return html`<button type="button" class="plain" onClick=${out}>Sign out</button>
    <span role="status" class="refused">${refused}</span>`;
}

function Line({ lost }: { readonly lost: LostSince }) {
  const text = lost === null ? "live" : `not connected since ${new Date(lost).toLocaleTimeString()}`;
  return html`<span class=${lost === null ? "line" : "line lost"} role="status">${text}</span>`;
}
