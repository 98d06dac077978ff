/** How GitHub says who somebody is: the web flow of the App, with PKCE. */
export interface PersonalSignIn {
  /** Where the browser is sent. */
  authorizeUrl(asked: {
    readonly state: string;
    readonly challenge: string;
    readonly returnTo: string;
  }): string;
  /**
   * Whose code it is. The person's token is used for this one question and kept nowhere. Throws `GitHubError`.
   */
  whoIs(given: {
    readonly code: string;
    readonly verifier: string;
    readonly returnTo: string;
  }): Promise<{ readonly id: number; readonly login: string }>;
}
