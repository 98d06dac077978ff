/** Whoever did it, as texts name them: a login with its sign, and the operator, who has none on GitHub, by what they are. */
export function personNamed(by: string): string {
  return by.startsWith("operator:") ? "the operator" : `@${by}`;
}
