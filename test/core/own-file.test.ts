import { expect, test } from "vitest";
import { ownFile } from "../../src/core/own-file.ts";

test.each([
  ["../../app.yml", "file:///home/src/commands/a.ts", "file:///home/app.yml"],
  [
    "../../app.yml",
    "file:///home/node_modules/flotilla/dist/commands/a.js",
    "file:///home/node_modules/flotilla/app.yml",
  ],
  ["inside/forwarder.ts", "file:///home/src/sandbox/a.ts", "file:///home/src/sandbox/inside/forwarder.ts"],
  ["inside/forwarder.ts", "file:///home/dist/sandbox/a.js", "file:///home/dist/sandbox/inside/forwarder.js"],
])("%s seen from %s is %s", (path, from, found) => {
  expect(ownFile(path, from).href).toBe(found);
});
