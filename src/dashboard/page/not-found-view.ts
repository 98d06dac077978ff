/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";

/** An address that shows nothing, with the ways back. */
export function NotFoundView({ me }: { readonly me: Me }) {
  useEffect(() => {
    document.title = "Page not found · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${null}>
    <h1>Page not found</h1>
    <p>There is no page at <code>${location.pathname}</code>. Check the address, or go to one of these:</p>
    <ul class="ways">
      <li><a href="/">What is waiting for a person</a></li>
      <li><a href="/work">All agents and their work</a></li>
    </ul>
  <//>`;
}
