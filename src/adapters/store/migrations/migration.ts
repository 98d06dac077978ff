/** One step of the database's form. Once released it is never edited: what it got wrong, a later one fixes. */
export interface Migration {
  /** `NNNN_name`, which is also its order. */
  readonly name: string;
  /** Several statements, run in one transaction with the record that they were run. */
  readonly sql: string;
}
