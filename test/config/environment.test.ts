import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultsOfSet, readEnvironment, unsetForServe } from "../../src/config/environment.ts";
import { ALL_ROLES } from "../../src/domain/recovery/node-roles.ts";
import { PRIVATE_KEY, SOUND_ENV, workplace } from "./workplace.ts";

const read = (env: Record<string, string | undefined>, cwd = "/srv") =>
  readEnvironment({ ...SOUND_ENV, ...env }, cwd);

describe("environment", () => {
  test("of variables that are set the faults are known without the rest", () => {
    expect(faultsOfSet({})).toEqual([]);
    expect(faultsOfSet({ PORT: "", HOST: "::1" })).toEqual([]);
    expect(faultsOfSet({ PORT: "80800", LOG_LEVEL: "loud", WEBHOOK_SECRET: "short" })).toEqual([
      expect.stringContaining("WEBHOOK_SECRET is shorter"),
      expect.stringContaining("PORT: write a number"),
      expect.stringContaining("LOG_LEVEL: write"),
    ]);
  });

  test("a value in quotation marks is a fault, since a container engine takes them for a part of it", () => {
    const quoted = { APP_ID: '"42"', WEBHOOK_SECRET: `'${SOUND_ENV.WEBHOOK_SECRET}'`, HOST: `it's` };
    const faults = ["APP_ID", "WEBHOOK_SECRET"].map(
      (name) =>
        `${name} is in quotation marks, which \`--env-file\` of Docker and Podman makes part of the value: write the value alone.`,
    );
    expect(faultsOfSet(quoted)).toEqual(faults);
    expect(read(quoted).faults).toEqual(faults);
  });

  test("of variables that serve needs the missing ones are known", () => {
    expect(unsetForServe({})).toEqual(["APP_ID", "WEBHOOK_SECRET", "PRIVATE_KEY_PATH"]);
    expect(unsetForServe({ APP_ID: "1", PRIVATE_KEY: "x" })).toEqual(["WEBHOOK_SECRET"]);
    expect(unsetForServe({ FLOTILLA_ROLE: "runner" })).toEqual(["APP_ID"]);
    expect(unsetForServe(SOUND_ENV)).toEqual([]);
  });

  test("one half of the credentials for signing in is a fault of variables that are set", () => {
    expect(faultsOfSet({ GITHUB_CLIENT_ID: "Iv1.abc" })).toEqual([
      expect.stringContaining("GITHUB_CLIENT_SECRET is not set"),
    ]);
  });

  test("has defaults for all but the App's number, key and secret", () => {
    expect(read({}).environment).toEqual({
      appId: 42,
      gheHost: undefined,
      gheProtocol: "https",
      host: "127.0.0.1",
      hosts: [],
      publicUrl: null,
      port: 3000,
      configPath: "/srv/config.yaml",
      dataDir: "/srv/data",
      roles: ALL_ROLES,
      logLevel: "info",
    });
  });

  test("takes every variable", () => {
    const { environment, secrets } = read({
      GHE_HOST: "github.example.com:8443",
      GHE_PROTOCOL: "http",
      HOST: "0.0.0.0",
      FLOTILLA_HOSTS: "Flotilla.example.com, flotilla",
      PUBLIC_URL: "https://ships.example.com:8443/",
      PORT: "0",
      FLOTILLA_CONFIG: "etc/flotilla.yaml",
      FLOTILLA_DATA_DIR: "/var/lib/flotilla",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "text",
      WEBHOOK_SECRET_PREVIOUS: "previous-secret-of-32-bytes-or-more",
      FLOTILLA_NODE: "node-1",
      FLOTILLA_ROLE: "web, Controller",
      FLOTILLA_MARKER_SECRET: "marker-secret-of-tests-12",
      DASHBOARD_TOKEN: "dashboard-token-of-tests-1",
      GITHUB_CLIENT_ID: "Iv1.abc",
      GITHUB_CLIENT_SECRET: "their secret",
    });
    expect(environment).toEqual({
      appId: 42,
      gheHost: "github.example.com:8443",
      gheProtocol: "http",
      host: "0.0.0.0",
      hosts: ["flotilla.example.com", "flotilla", "ships.example.com"],
      publicUrl: "https://ships.example.com:8443",
      port: 0,
      configPath: "/srv/etc/flotilla.yaml",
      dataDir: "/var/lib/flotilla",
      node: "node-1",
      roles: new Set(["controller", "web"]),
      logLevel: "debug",
      logFormat: "text",
    });
    expect(secrets).toEqual({
      privateKey: PRIVATE_KEY,
      webhookSecret: SOUND_ENV.WEBHOOK_SECRET,
      webhookSecretPrevious: "previous-secret-of-32-bytes-or-more",
      dashboardToken: "dashboard-token-of-tests-1",
      markerSecret: "marker-secret-of-tests-12",
      signIn: { clientId: "Iv1.abc", clientSecret: "their secret" },
    });
  });

  test("a process needs the secrets of its roles alone", () => {
    const none = { PRIVATE_KEY: "", WEBHOOK_SECRET: "" };
    const faults = (role: string) =>
      read({ ...none, FLOTILLA_ROLE: role }).faults.map((fault) => fault.split(" ")[0]);
    expect(faults("runner")).toEqual([]);
    expect(faults("runner,web")).toEqual([]);
    expect(faults("intake")).toEqual(["WEBHOOK_SECRET"]);
    expect(faults("controller,runner")).toEqual(["PRIVATE_KEY"]);
    expect(faults("")).toEqual(["WEBHOOK_SECRET", "PRIVATE_KEY"]);
    expect(read({ ...none, FLOTILLA_ROLE: "runner" }).secrets).toMatchObject({
      privateKey: undefined,
      webhookSecret: undefined,
    });
    // What is set must be right, needed or not.
    expect(read({ FLOTILLA_ROLE: "runner", PRIVATE_KEY: "no key" }).faults).toEqual([
      expect.stringContaining("PRIVATE_KEY is not an RSA"),
    ]);
  });

  test("an unknown role is named beside the four", () => {
    expect(read({ FLOTILLA_ROLE: "runner,driver, boss" }).faults).toEqual([
      'FLOTILLA_ROLE (--role): "driver" and "boss" cannot be a role: write those of intake, controller, runner, web that this process has, with commas between them.',
    ]);
    expect(read({ FLOTILLA_ROLE: "runner," }).faults).toHaveLength(1);
  });

  test("an empty variable counts as unset", () => {
    const { environment, secrets } = read({ PORT: "", DASHBOARD_TOKEN: "", GHE_HOST: "" });
    expect(environment?.port).toBe(3000);
    expect(environment?.gheHost).toBeUndefined();
    expect(secrets?.dashboardToken).toBeUndefined();
  });

  test("people sign in by GitHub only with both halves", () => {
    expect(read({ GITHUB_CLIENT_ID: "Iv1.abc" }).secrets?.signIn).toBeUndefined();
    expect(read({ GITHUB_CLIENT_SECRET: "their secret" }).secrets?.signIn).toBeUndefined();
  });

  test("a private key may have its line ends written as \\n", () => {
    expect(read({ PRIVATE_KEY: PRIVATE_KEY.replaceAll("\n", "\\n") }).secrets?.privateKey).toBe(PRIVATE_KEY);
  });

  test("a private key may be in a file, seen from the working directory", () => {
    const cwd = workplace({ "keys/app.pem": PRIVATE_KEY });
    const { secrets } = read({ PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: "keys/app.pem" }, cwd);
    expect(secrets?.privateKey).toBe(PRIVATE_KEY);
  });

  test.each([
    [{ APP_ID: undefined }, "APP_ID is not set"],
    [{ APP_ID: "Iv1.abc" }, "APP_ID is not a number"],
    [{ WEBHOOK_SECRET: undefined }, "openssl rand -hex 32"],
    [{ WEBHOOK_SECRET: "development" }, "WEBHOOK_SECRET is shorter than 32 bytes"],
    [{ WEBHOOK_SECRET: "x".repeat(31) }, "WEBHOOK_SECRET is shorter than 32 bytes"],
    [{ WEBHOOK_SECRET_PREVIOUS: "short" }, "WEBHOOK_SECRET_PREVIOUS is shorter"],
    [{ PRIVATE_KEY: undefined }, "PRIVATE_KEY or PRIVATE_KEY_PATH is not set"],
    [{ PRIVATE_KEY: "-----BEGIN" }, "PRIVATE_KEY is not an RSA private key"],
    [{ PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: "/missing.pem" }, "/missing.pem cannot be read (ENOENT)"],
    [{ GHE_HOST: "https://github.example.com" }, "GHE_HOST is not a host"],
    [{ GHE_PROTOCOL: "ftp" }, "GHE_PROTOCOL: write http or https"],
    [{ PORT: "http" }, "PORT: write a number"],
    [{ PORT: "65536" }, "PORT: write a number"],
    [{ DASHBOARD_TOKEN: "x1".repeat(11) }, "DASHBOARD_TOKEN is shorter than 24 characters: make one with"],
    [{ FLOTILLA_MARKER_SECRET: "x1".repeat(11) }, "FLOTILLA_MARKER_SECRET is shorter than 24 characters"],
    [{ FLOTILLA_MARKER_SECRET: "secret".repeat(4) }, "FLOTILLA_MARKER_SECRET is a short word repeated"],
    [{ FLOTILLA_NODE: "a b" }, "FLOTILLA_NODE: write a name of at most 64 letters, digits, dots and dashes"],
    [{ DASHBOARD_TOKEN: "secret".repeat(4) }, "DASHBOARD_TOKEN is a short word repeated"],
    [{ FLOTILLA_HOSTS: "https://flotilla.example.com" }, "FLOTILLA_HOSTS: write host names alone"],
    [{ FLOTILLA_HOSTS: "flotilla.example.com:3000" }, "FLOTILLA_HOSTS: write host names alone"],
    [{ PUBLIC_URL: "flotilla.example.com" }, "PUBLIC_URL: write the address under which people open"],
    [{ PUBLIC_URL: "https://example.com/flotilla" }, "PUBLIC_URL: write the address under which people open"],
    [{ PUBLIC_URL: "https://u:p@example.com" }, "PUBLIC_URL: write the address under which people open"],
    [{ PUBLIC_URL: "ftp://example.com" }, "PUBLIC_URL: write the address under which people open"],
    [{ FLOTILLA_HOSTS: "a,,b" }, "FLOTILLA_HOSTS: write host names alone"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL: write trace"],
    [{ LOG_FORMAT: "yaml" }, "LOG_FORMAT: write text or json."],
    [{ GITHUB_CLIENT_ID: "Iv1.abc" }, "GITHUB_CLIENT_SECRET is not set, without which nobody can sign in"],
    [
      { GITHUB_CLIENT_SECRET: "some-secret" },
      "GITHUB_CLIENT_ID is not set, without which nobody can sign in",
    ],
  ])("%j is refused with %j", (env, fault) => {
    const { faults } = read(env);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test("32 bytes are counted as bytes", () => {
    expect(read({ WEBHOOK_SECRET: "éabcdefghijklmnopqrstuvwxyz0123" }).faults).toEqual([]);
  });

  test("a key of another kind is refused, in a file too", () => {
    const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const cwd = workplace({ "app.pem": pem });
    const env = { PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: join(cwd, "app.pem") };
    expect(read(env).faults).toEqual([expect.stringContaining("PRIVATE_KEY_PATH is not an RSA private key")]);
  });

  test("all faults come at once and quote no secret", () => {
    const { faults } = read({
      APP_ID: "x",
      WEBHOOK_SECRET: "hunter2",
      PRIVATE_KEY: "hunter3",
      PORT: "hunter4",
    });
    expect(faults).toHaveLength(4);
    expect(faults.join(" ")).not.toMatch(/hunter/);
  });
});
