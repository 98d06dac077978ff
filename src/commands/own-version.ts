import { readFileSync } from "node:fs";
import { ownFile } from "../core/own-file.ts";

/** Returns the version of this package, such as 0.1.0. */
export function ownVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(ownFile("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
