/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MachineJson } from "../api/json.ts";
import { BOX, type Layout, layOut, lineOf, middleOf } from "./diagram-layout.ts";
import { plainly } from "./state-words.ts";

/** A transition that the machine has taken. */
interface Walked {
  readonly event: string;
  readonly from: string;
  readonly to: string;
}

interface DiagramProps {
  readonly machine: MachineJson;
  readonly state: string | null;
  readonly path: readonly Walked[];
}

/** Draws a state machine from its own table. Highlights the current state and marks the path that led to it. */
export function Diagram({ machine, state, path }: DiagramProps) {
  const layout = layOut(machine, useNarrow());
  const walked = new Map(path.map((move) => [`${move.from}>${move.to}`, move.event]));
  const visited = new Set(path.flatMap(({ from, to }) => [from, to]));
  const id = `way-${machine.name}`;
  const scroll = useRef<HTMLDivElement>(null);
  const here = layout.places.get(state ?? "")?.x ?? 0;
  // Scrolls to the current state on a narrow screen.
  useLayoutEffect(() => {
    if (scroll.current !== null) scroll.current.scrollLeft = here - scroll.current.clientWidth / 2;
  }, [here, layout.isUpright]);
  const told = state === null ? "It has not started." : `It is ${plainly(state)}.`;
  return html`<figure class="diagram">
    <div class="scroll" ref=${scroll} tabindex="0" role="group" aria-label=${`Diagram of the ${machine.name}'s states`}>
      <svg
        viewBox=${`0 0 ${layout.width} ${layout.height}`}
        width=${layout.width}
        height=${layout.height}
        role="img"
        aria-label=${`States of the ${machine.name}. ${told}`}
      >
        <defs>
          ${["faint", "walked"].map(
            (kind) => html`<marker
              id=${`${id}-${kind}`}
              class=${kind}
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M 0 0 L 8 4 L 0 8 z" />
            </marker>`,
          )}
        </defs>
        ${machine.arrows
          .toSorted((one, other) => Number(isWalked(one, walked)) - Number(isWalked(other, walked)))
          .map((arrow) => drawn(arrow, layout, walked, id))}
        ${[...layout.places.values()].map(
          (
            place,
          ) => html`<g key=${place.state} class=${place.state === state ? "box lit" : visited.has(place.state) ? "box seen" : "box"}>
            <rect x=${place.x - BOX.width / 2} y=${place.y - BOX.height / 2} width=${BOX.width} height=${BOX.height} rx="5" />
            <text x=${place.x} y=${place.y + 4}>${plainly(place.state)}</text>
          </g>`,
        )}
      </svg>
    </div>
    <figcaption>
      <details>
        <summary>The path as text</summary>
        <ol>
          ${path.map(
            (move, index) =>
              html`<li key=${index}>${plainly(move.from)} to ${plainly(move.to)} by ${plainly(move.event)}</li>`,
          )}
        </ol>
        <p>${told}</p>
      </details>
    </figcaption>
  </figure>`;
}

/** The same width at which the style sheet switches to the phone layout of tables. */
const NARROW = "(max-width: 700px)";

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const update = (): void => setNarrow(media.matches);
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, []);
  return isNarrow;
}

type Arrow = MachineJson["arrows"][number];

function isWalked({ from, to }: Arrow, walked: ReadonlyMap<string, string>): boolean {
  return walked.has(`${from}>${to}`);
}

function drawn(arrow: Arrow, { places, isUpright }: Layout, walked: ReadonlyMap<string, string>, id: string) {
  const [from, to] = [places.get(arrow.from ?? ""), places.get(arrow.to)];
  if (from === undefined || to === undefined || from === to) return null;
  const event = walked.get(`${arrow.from}>${arrow.to}`);
  const kind = event === undefined ? "faint" : "walked";
  const [x, y] = middleOf(from, to, isUpright);
  return html`<g key=${`${from.state}>${to.state}`} class=${`arrow ${kind}`}>
    <title>${`${plainly(from.state)} to ${plainly(to.state)}: ${arrow.on.map(plainly).join(", ")}`}</title>
    <path d=${lineOf(from, to, isUpright)} marker-end=${`url(#${id}-${kind})`} />
    ${event === undefined ? null : html`<text x=${x} y=${y}>${plainly(event)}</text>`}
  </g>`;
}
