import { html } from "htm/preact";
import type { Bar } from "../figures.ts";

interface PlotProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** How a value is written. */
  readonly written: (value: number) => string;
  /** What a key names: `Day`, `Issue`, `State`. */
  readonly of: string;
}

const WIDTH = 320;
const HEIGHT = 90;

/** Bars with their largest value beside them; the same as a table for those who do not see them. */
export function Plot({ title, bars, written, of }: PlotProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const sum = bars.reduce((all, { value }) => all + value, 0);
  const step = WIDTH / Math.max(1, bars.length);
  const few = bars.length <= 6;
  const shown = few ? bars.map(({ key }) => key) : [bars[0]?.key ?? "", bars.at(-1)?.key ?? ""];
  const told = `${title}: ${written(sum)} in all`;
  return html`<figure class="plot">
    <figcaption>${title} <span class="of">${written(sum)} in all, at most ${written(most)}</span></figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${told}>
      ${bars.map(({ key, value }, index) => {
        const height = most === 0 ? 0 : (value / most) * (HEIGHT - 2);
        return html`<rect key=${key} x=${index * step + 1} y=${HEIGHT - 1 - height} width=${Math.max(1, step - 2)} height=${height}>
          <title>${`${key}: ${written(value)}`}</title>
        </rect>`;
      })}
      <path d=${`M 0 ${HEIGHT - 0.5} H ${WIDTH}`} />
    </svg>
    <p class=${few ? "ends few of" : "ends of"} aria-hidden="true">
      ${shown.map((key) => html`<span key=${key}>${key}</span>`)}
    </p>
    <details>
      <summary>As a table<span class="unseen">: ${title}</span></summary>
      <table>
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
