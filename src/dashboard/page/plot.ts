import { html } from "htm/preact";
import type { Bar } from "../api/figures.ts";

interface PlotProps {
  readonly title: string;
  /** At least one is above zero. */
  readonly bars: readonly Bar[];
  /** Formats a value. */
  readonly written: (value: number) => string;
  /** What the keys are: `Day`, `Issue`, `State`. */
  readonly of: string;
}

const WIDTH = 320;
const HEIGHT = 90;
/** Up to this many keys fit below the bars; if there are more, only the first and the last are shown. */
const KEYS_SHOWN = 6;

/** A bar chart, with the same values as a table for people who cannot see it or want exact values. */
export function Plot({ title, bars, written, of }: PlotProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const sum = bars.reduce((all, { value }) => all + value, 0);
  const step = WIDTH / Math.max(1, bars.length);
  const told = `${title}: ${written(sum)} in total, at most ${written(most)}`;
  return html`<figure class="plot">
    <figcaption>${title} <span class="of">${written(sum)} in total</span></figcaption>
    <div class="axes">
      <span class="up of" aria-hidden="true"><span>${written(most)}</span><span>${written(0)}</span></span>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${told}>
        <path d=${`M 0 0.5 H ${WIDTH}`} class="top-line" />
        ${bars.map(({ key, value }, index) => {
          const height = (value / most) * (HEIGHT - 2);
          return html`<rect key=${key} x=${index * step + 1} y=${HEIGHT - 1 - height} width=${Math.max(1, step - 2)} height=${height}>
            <title>${`${key}: ${written(value)}`}</title>
          </rect>`;
        })}
        <path d=${`M 0 ${HEIGHT - 0.5} H ${WIDTH}`} />
      </svg>
      <${Keys} keys=${bars.map(({ key }) => key)} of=${of} />
    </div>
    <details>
      <summary>As a table<span class="unseen">: ${title}</span></summary>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">${of}</th>
            <th scope="col" class="number">${title}</th>
          </tr>
        </thead>
        <tbody>
          ${bars.map(
            ({ key, value }) => html`<tr key=${key}>
              <th scope="row">${key}</th>
              <td class="number">${written(value)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

/** The labels below the bars: every key, or the first and the last with the kind of key between them. */
function Keys({ keys, of }: { readonly keys: readonly string[]; readonly of: string }) {
  const few = keys.length <= KEYS_SHOWN;
  const shown = few ? keys : [keys[0] ?? "", of, keys.at(-1) ?? ""];
  return html`<span class=${few ? "along few of" : "along of"} aria-hidden="true">
    ${shown.map((key) => html`<span key=${key}>${key}</span>`)}
  </span>`;
}
