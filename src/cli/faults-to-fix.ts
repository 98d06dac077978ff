/** Returns how many faults a file has, as the last line of a check says it. */
export function faultsToFix({ length }: readonly string[]): string {
  return length === 1 ? "1 fault to fix" : `${length} faults to fix`;
}
