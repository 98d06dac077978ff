/** An issue as it stood when a person with permission set work on it going, or changed it. */
export interface IssueTextRow {
  readonly repositoryId: number;
  readonly issue: number;
  readonly title: string;
  readonly body: string;
  /** Login of that person. */
  readonly approvedBy: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface IssueTextTable {
  /** Takes the place of what was approved before. */
  put(row: IssueTextRow): Promise<void>;
  of(repositoryId: number, issue: number): Promise<IssueTextRow | undefined>;
}
