/** A spreadsheet takes a text that begins so for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of RFC 4180, without its end. Texts that a spreadsheet would run are shown with a `'` before them. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(cell).join(",");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return safe !== value || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
