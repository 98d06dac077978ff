import { readFileSync } from "node:fs";
import { bundledFile } from "../domain/settings/bundled-file.ts";

/** Returns the version of this package, such as 0.1.0. */
export function ownVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(bundledFile("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
