import { expect, test } from "vitest";
import { isHostName } from "../../../src/domain/access/host-name.ts";

test.each(["registry.npmjs.org", "pypi.org", "xn--bcher-kva.example", "a.b.c.d1e", "3com.com"])(
  "%s may be allowed",
  (name) => {
    expect(isHostName(name)).toBe(true);
  },
);

test.each([
  "",
  "npmjs",
  "localhost",
  "a.localhost",
  "printer.local",
  "metadata.google.internal",
  "router.home.arpa",

  "Registry.npmjs.org",
  "registry.npmjs.org.",
  ".npmjs.org",
  "*.npmjs.org",
  "https://pypi.org",
  "pypi.org:443",
  "127.0.0.1",
  "1.2.3",
  "0x7f.1",
  "[::1]",
  "a..b",
  "-a.org",
  "a-.org",
  "a_b.org",
  "büch.er",
  "pypi.org/simple",
  `${"a".repeat(64)}.org`,
  `${"a.".repeat(127)}org`,
])("%j may not", (name) => {
  expect(isHostName(name)).toBe(false);
});
