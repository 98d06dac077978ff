/** Names that stand for Flotilla and its agents where who acted is recorded. */
const OURS = ["flotilla", "agent"];

/** Returns a person's login as it is recorded: with its sign where it would be taken for Flotilla or an agent. */
export function recordedName(login: string): string {
  return OURS.includes(login.toLowerCase()) ? `@${login}` : login;
}

/** Returns the login of a recorded name, or `operator:<account>`. */
export function loginOf(recorded: string): string {
  return recorded.replace(/^@/, "");
}

/** Names a person in a text: a login with its sign, or "the operator", who has no login on GitHub. */
export function personNamed(by: string): string {
  return by.startsWith("operator:") ? "the operator" : `@${loginOf(by)}`;
}

/** Names a person at the start of a sentence. */
export function sayer(by: string): string {
  return by.startsWith("operator:") ? "The operator" : `@${loginOf(by)}`;
}
