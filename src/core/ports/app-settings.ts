/** What GitHub has of the App's own settings, as its owner set them. */
export interface AppSettings {
  /** By name, such as `issues`; GitHub's levels are `read`, `write` and `admin`. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Webhook events that it is subscribed to. */
  readonly events: readonly string[];
  readonly hook: {
    /** Empty where none is set. */
    readonly url: string;
    readonly hasSecret: boolean;
    /** `json` or `form`. */
    readonly contentType: string;
    /** False where GitHub does not check the certificate of the address. */
    readonly verifiesTls: boolean;
  };
  /** Where it is installed, each with what its owner has accepted. */
  readonly installations: readonly {
    readonly account: string;
    readonly suspended: boolean;
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
  }[];
}

export interface AppSettingsReader {
  /** Throws `GitHubError`. */
  appSettings(): Promise<AppSettings>;
}
