/** Names a person in a text: a login with its sign, or "the operator", who has no login on GitHub. */
export function personNamed(by: string): string {
  return by.startsWith("operator:") ? "the operator" : `@${by}`;
}

/** Names a person at the start of a sentence. */
export function sayer(by: string): string {
  return by.startsWith("operator:") ? "The operator" : `@${by}`;
}
