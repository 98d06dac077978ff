/** How long it is until then, for people: `in about 3 min`; never less than one. */
export function aboutMinutes(ms: number): string {
  return `in about ${Math.max(1, Math.ceil(ms / 60_000))} min`;
}
