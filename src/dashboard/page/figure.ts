import { html } from "htm/preact";

interface FigureProps {
  readonly name: string;
  readonly tone?: string;
  readonly link?: string;
  readonly children?: unknown;
}

/** A number with its label, in a row of figures. */
export function Figure({ name, tone = "", link, children }: FigureProps) {
  return html`<div class=${`figure ${tone}`}>
    <dt>${link === undefined ? name : html`<a href=${link}>${name}</a>`}</dt>
    <dd>${children}</dd>
  </div>`;
}
