/** A value that applies, and where it comes from. It holds no secret, nor anything about one but whether it is set. */
export interface SettingInForce {
  /** As `a.b[0].c` in the configuration, or the name of an environment variable. */
  readonly key: string;
  /** As people write it; null where nothing is set, and where it is not shown. */
  readonly value: string | null;
  readonly source: "default" | "file" | "environment" | "not set";
  /** The file and its line, such as `config.yaml:12`; null where it is not from a file. */
  readonly where: string | null;
  /** True where the value is not shown, because it is or may hold a secret. */
  readonly isHidden: boolean;
  /** Whether a repository's own file may change it there, within limits. */
  readonly isForRepositories: boolean;
  readonly about: string | null;
}
