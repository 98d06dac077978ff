import { describe, expect, it } from "vitest";
import {
  insideUrl,
  isOfRegistry,
  type Registry,
  registryCredential,
  registryFiles,
  registryRewrites,
  registryVariables,
  upstreamUrl,
} from "../../../src/domain/access/registry.ts";

const a = (kind: Registry["kind"], url: string): Registry => ({ kind, url, tokenEnv: "TOKEN" });

const NPM = a("npm", "https://npm.example.com/repository/npm/");
const PYPI = a("pypi", "https://pypi.example.com/repository/pypi/simple/");
const CARGO = a("cargo", "https://crates.example.com/api/cargo/own/index/");

describe("the registries inside a sandbox", () => {
  it("are found by each tool's own variables, with the same path on a loopback port of their own", () => {
    expect(
      registryVariables([
        NPM,
        PYPI,
        a("go", "https://go.example.com/api/go/own/"),
        CARGO,
        a("maven", "https://maven.example.com/repository/maven/"),
        a("generic", "https://files.example.com/own/"),
      ]),
    ).toEqual({
      npm_config_registry: "http://127.0.0.1:3129/repository/npm/",
      npm_config_replace_registry_host: "always",
      npm_config_audit: "false",
      PIP_INDEX_URL: "http://127.0.0.1:3130/repository/pypi/simple/",
      GOPROXY: "http://127.0.0.1:3131/api/go/own",
      GONOPROXY: "none",
      GONOSUMDB: "*",
      MAVEN_ARGS: "-s /run/flotilla/egress/maven-settings.xml",
      FLOTILLA_REGISTRY_FILES_EXAMPLE_COM: "http://127.0.0.1:3134/own/",
    });
    expect(registryVariables([])).toEqual({});
  });

  it("are found by a file where a tool reads no variable", () => {
    const [cargo, maven] = registryFiles([NPM, CARGO, a("maven", "https://maven.example.com/a&b/")]);
    expect(cargo).toMatchObject({ name: "cargo.toml", seenAt: "/.cargo/config.toml" });
    expect(cargo?.text).toContain(
      '[source.flotilla-upstream]\nregistry = "sparse+https://crates.example.com/api/cargo/own/index/"\nreplace-with = "flotilla"',
    );
    expect(cargo?.text).toContain('registry = "sparse+http://127.0.0.1:3130/api/cargo/own/index/"');
    expect(maven).toMatchObject({ seenAt: "/run/flotilla/egress/maven-settings.xml" });
    expect(maven?.text).toContain("<mirrorOf>*</mirrorOf><url>http://127.0.0.1:3131/a&amp;b/</url>");
  });
});

it.each([
  ["npm", "npm_abc", "Bearer npm_abc"],
  ["go", "abc", "Bearer abc"],
  ["cargo", "abc", "abc"],
  ["pypi", "pypi-abc", `Basic ${btoa("__token__:pypi-abc")}`],
  ["maven", "ci:secret", `Basic ${btoa("ci:secret")}`],
] as const)("a token of %s, %s, is sent as that kind of registry expects it", (kind, token, header) => {
  expect(registryCredential(kind, token)).toBe(header);
});

describe("a request of a sandbox", () => {
  it.each([
    [NPM, "/repository/npm/left", "https://npm.example.com/repository/npm/left"],
    [NPM, "/repository/npm/@acme%2fleft?a=b?c", "https://npm.example.com/repository/npm/@acme%2fleft?a=b?c"],
    // Older npm takes the path of a lock file, and puts it behind the host alone.
    [NPM, "/left/-/left-1.0.0.tgz", "https://npm.example.com/repository/npm/left/-/left-1.0.0.tgz"],
    [NPM, "/repository/npm/%C3%A9", "https://npm.example.com/repository/npm/%C3%A9"],
    [NPM, "//evil.example/x", "https://npm.example.com/repository/npm//evil.example/x"],
    [NPM, "/@evil.example/x", "https://npm.example.com/repository/npm/@evil.example/x"],
    // Files of Python's and Cargo's registries are beside the index.
    [
      PYPI,
      "/repository/pypi/packages/a/1/a.whl",
      "https://pypi.example.com/repository/pypi/packages/a/1/a.whl",
    ],
    [
      CARGO,
      "/api/cargo/own/v1/crates/a/1/download",
      "https://crates.example.com/api/cargo/own/v1/crates/a/1/download",
    ],
    [PYPI, "/repository/other/x", "https://pypi.example.com/repository/pypi/repository/other/x"],
  ])("of %j for %s goes to %s", (registry, target, url) => {
    expect(upstreamUrl(registry, target)).toBe(url);
  });

  it.each([
    "/repository/npm/../secrets",
    "/repository/npm/x/..%2f..%2fsecrets",
    "/repository/npm/%2e%2e/secrets",
    "/repository/npm/.%2E/secrets",
    "/repository/npm/%252e%252e/secrets",
    "/repository/npm/..;/secrets",
    "/repository/npm/..;a=b/secrets",
    "/repository/npm/..\\secrets",
    "/repository/npm/%5c..%5csecrets",
    "/repository/npm/.",
    "/repository/npm/%c0%ae%c0%ae/secrets",
    "/repository/npm/..%c0%afsecrets",
    "/repository/npm/%E0%80%AE./secrets",
    "/repository/npm/%f0%80%80%ae./secrets",
    "/repository/npm/..%00/secrets",
    "/repository/npm/x%0d%0aAuthorization:%20y",
    "/repository/npm/x\r\nHost: y",
    "/repository/npm/x%7f",
    "/repository/npm/x#y",
    "https://npm.example.com/repository/npm/left",
    "npm.example.com:443",
    "*",
    "",
  ])("for %s leaves the registry's path, and goes nowhere", (target) => {
    expect(upstreamUrl(NPM, target)).toBeNull();
  });
});

it.each([
  ["https://npm.example.com/repository/npm/left", true],
  ["https://npm.example.com/repository/other/left", false],
  ["https://npm.example.com:8443/repository/npm/left", false],
  ["http://npm.example.com/repository/npm/left", false],
  ["https://npm.example.com.evil.example/repository/npm/left", false],
  ["https://user:pw@npm.example.com/repository/npm/left", false],
  ["nothing", false],
])("the token goes with a redirect to %s: %s", (url, is) => {
  expect(isOfRegistry(NPM, url)).toBe(is);
});

describe("addresses in what a registry answers", () => {
  const JSON_TYPE = "application/json";
  const about = { target: "/repository/npm/left", userAgent: "pnpm/9.1.0", contentType: JSON_TYPE };
  const addresses = ["https://npm.example.com/repository/npm/", insideUrl(NPM, 2)];

  it("lead to the loopback address", () => {
    expect(registryRewrites(NPM, 2, about)).toEqual([addresses]);
    expect(registryRewrites(PYPI, 0, { ...about, contentType: "text/html; charset=utf-8" })).toEqual([
      ["https://pypi.example.com/repository/pypi/", "http://127.0.0.1:3129/repository/pypi/"],
    ]);
    const simple = "application/vnd.pypi.simple.v1+json";
    expect(registryRewrites(PYPI, 0, { ...about, contentType: simple })).toHaveLength(1);
  });

  it("stay for npm itself, which would write them into a lock file", () => {
    expect(registryRewrites(NPM, 2, { ...about, userAgent: "npm/10.8.2 node/v22" })).toEqual([]);
  });

  it("stay in what may have a checksum", () => {
    expect(registryRewrites(NPM, 2, { ...about, contentType: "application/octet-stream" })).toEqual([]);
    const maven = a("maven", "https://maven.example.com/m/");
    expect(registryRewrites(maven, 0, { ...about, contentType: "text/xml" })).toEqual([]);
    expect(registryRewrites(a("generic", "https://files.example.com/"), 0, about)).toEqual([]);
  });

  it("are those of an index of crates, which no longer asks for a token", () => {
    const config = { ...about, target: "/api/cargo/own/index/config.json", contentType: "text/plain" };
    expect(registryRewrites(CARGO, 0, config)).toEqual([
      ["https://crates.example.com/api/cargo/own/", "http://127.0.0.1:3129/api/cargo/own/"],
      ['"auth-required"', '"auth-by-the-host"'],
    ]);
    expect(registryRewrites(CARGO, 0, { ...config, target: "/api/cargo/own/index/se/rd/serde" })).toEqual([]);
  });
});
