/** Sessions of browsers that their people ended before their time: such a cookie is good no more. */
export interface SignOutTable {
  /** Kept until the session would have ended by itself; forgets those for which `now` is past that. Milliseconds. */
  add(session: string, times: { readonly until: number; readonly now: number }): Promise<void>;
  has(session: string): Promise<boolean>;
}
