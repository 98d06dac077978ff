/**
 * Text columns that say what happened and hold no long text of a person, a model or GitHub. Numbers of every
 * column are included; other texts only if bodies are requested.
 */
const TOLD: ReadonlySet<string> = new Set(
  "action actor breaker category change delivery error event from_state guid key kind lane machine mode model name note owner phase reason role rule runtime sleep_reason state status to_state tool type".split(
    " ",
  ),
);

/**
 * Returns a row, by columns, for the bundle of `flotilla support`; a text that is left out is replaced by its
 * length. A column `secret` is always left out.
 */
export function supportRow(
  row: Readonly<Record<string, string | number | null | Uint8Array>>,
  bodies: boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value === null || typeof value === "number") return [column, value];
      if (typeof value === "string" && column !== "secret" && (bodies || TOLD.has(column)))
        return [column, value];
      return [column, `(${value.length} long)`];
    }),
  );
}
