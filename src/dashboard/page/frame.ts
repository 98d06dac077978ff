/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Me, signOut } from "./ask.ts";
import { Away } from "./away.ts";
import type { LostSince } from "./live.ts";
import { Outcome } from "./outcome.ts";
import { PLACES } from "./places.ts";
import { ThemeSwitch } from "./theme.ts";

interface FrameProps {
  readonly me: Me;
  readonly lost: LostSince;
  readonly children?: ComponentChildren;
}

/** The frame of every view: navigation, the viewer's name, and whether the page is connected. */
export function Frame({ me, lost, children }: FrameProps) {
  const who = me.viewer.kind === "operator" ? "operator" : `@${me.viewer.login}`;
  const [isOpen, setIsOpen] = useState(false);
  const here = PLACES.find(([path]) => path === location.pathname)?.[1];
  const close = ({ key }: { readonly key: string }): void => {
    if (key !== "Escape" || !isOpen) return;
    setIsOpen(false);
    document.getElementById("menu")?.focus();
  };
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header class="top" onKeyDown=${close}>
      <a class="brand" href="/">Flotilla</a>
      <button id="menu" type="button" class="menu" aria-expanded=${isOpen} aria-controls="places" onClick=${() => setIsOpen(!isOpen)}>
        Menu${here === undefined ? null : html`<span class="of">: ${here}</span>`}
      </button>
      <${Line} lost=${lost} />
      <div id="places" class=${isOpen ? "places open" : "places"}>
        <nav aria-label="Places">
          ${PLACES.map(
            ([path, name]) =>
              html`<a key=${path} href=${path} aria-current=${location.pathname === path ? "page" : undefined}>${name}</a>`,
          )}
        </nav>
        <span class="who">
          ${who} ${me.viewer.kind === "person" ? html`<a href="/token">Token</a>` : null} <${ThemeSwitch} /> <${SignOut} />
        </span>
      </div>
    </header>
    <main id="main" tabindex="-1" class=${lost === null ? "" : "away"}>
      <${Away} lost=${lost} />
      ${children}
    </main>
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
