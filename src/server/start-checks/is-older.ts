/** Returns true if the first version is older. Compares numeric parts as numbers. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
