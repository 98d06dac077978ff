/** True when the first version is older; parts that are numbers are compared as numbers. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
