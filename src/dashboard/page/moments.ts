/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in its largest units: `40 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function span(ms: number): string {
  const of = Math.max(0, ms);
  if (of < MINUTE) return `${Math.floor(of / SECOND)} s`;
  if (of < HOUR) return `${Math.floor(of / MINUTE)} min`;
  if (of < DAY) return both(of, HOUR, "h", MINUTE, "min");
  return both(of, DAY, "d", HOUR, "h");
}

function both(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}

/** The current time, updated every second while the page is visible. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, SECOND);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** The time since a moment; it keeps counting. */
export function Since({ at }: { readonly at: string }) {
  const now = useNow();
  return html`<time datetime=${at} title=${new Date(at).toLocaleString()}>${span(now - Date.parse(at))}</time>`;
}

const DAY_AND_MINUTE = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;

/** A time of day; on another day the date and the minute, which fit in one line of a narrow column. */
export function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const shown = isToday ? date.toLocaleTimeString() : date.toLocaleString(undefined, DAY_AND_MINUTE);
  return html`<time datetime=${at} title=${date.toLocaleString()}>${shown}</time>`;
}

/** Formats an amount in cents; one below a cent with the digits that tell it from nothing. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && usd < 0.01 ? 4 : 2)}`;
}

/** Formats the duration of one call or command: `120 ms`, `5.3 s`, `12 min`. */
export function took(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  return ms < MINUTE ? `${(ms / SECOND).toFixed(1)} s` : span(ms);
}

/** Formats a count: `1,234`, `12.3k`, `4.5M`. */
export function count(number: number): string {
  if (number < 10_000) return number.toLocaleString("en");
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}
