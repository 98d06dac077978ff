/** A figure for whoever reads the test run. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
