import { expect, test } from "vitest";
import { bundledFile } from "../../../src/domain/settings/bundled-file.ts";

test.each([
  ["../../app.yml", "file:///anywhere/src/commands/a.ts", "file:///anywhere/app.yml"],
  [
    "../../app.yml",
    "file:///anywhere/node_modules/flotilla/dist/commands/a.js",
    "file:///anywhere/node_modules/flotilla/app.yml",
  ],
  [
    "inside/forwarder.ts",
    "file:///anywhere/src/sandbox/a.ts",
    "file:///anywhere/src/sandbox/inside/forwarder.ts",
  ],
  [
    "inside/forwarder.ts",
    "file:///anywhere/dist/sandbox/a.js",
    "file:///anywhere/dist/sandbox/inside/forwarder.js",
  ],
])("%s seen from %s is %s", (path, from, found) => {
  expect(bundledFile(path, from).href).toBe(found);
});
