/** A moment for people, to the minute: `2025-12-21 22:40 UTC`. `at` = milliseconds since the epoch. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
