import { describe, expect, test } from "vitest";
import {
  environmentVariables,
  providerKeyFaults,
} from "../../../src/domain/settings/environment-variables.ts";

const parse = (variables: unknown) => environmentVariables().safeParse(variables);
const messages = (variables: unknown) =>
  (parse(variables).error?.issues ?? []).map((issue) =>
    issue.code === "invalid_key" ? issue.issues.map(({ message }) => message).join() : issue.message,
  );

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${n}`, ""]));

describe("the environment variables of a configuration", () => {
  test("have any value that is text, taken as it is", () => {
    const variables = {
      DATABASE_URL: "sqlite:$HOME/test.db",
      NODE_ENV: "test",
      _private: "",
      constructor: "`id`\nsecond line",
      a1: "ü",
      PORT: "3000",
    };
    expect(parse(variables).data).toEqual(variables);
    expect(messages({ LONG: "ü".repeat(2048), ["A".repeat(100)]: "x" })).toEqual([]);
  });

  test.each([
    "",
    "1A",
    "A-B",
    "A B",
    "A=B",
    "A\nB",
    "A\n",
    "A\0",
    "ÜBER",
    "PАTH", // A Cyrillic letter.
    "BASH_FUNC_exec%%",
    "A".repeat(101),
  ])("have no name like %j", (name) => {
    expect(messages({ [name]: "x" })).toEqual([expect.stringContaining("is not the name of a variable")]);
  });

  test.each([
    ["PATH HOME TMPDIR TMP TEMP CI TZ TZDIR LANG LANGUAGE LC_ALL LC_CTYPE", "Flotilla or the shell sets it"],
    ["PWD OLDPWD SHLVL _", "Flotilla or the shell sets it"],
    ["SHELL ENV IFS PS0 PS4 OPTIND SHELLOPTS BASH_ENV BASHOPTS CDPATH", "it changes how shells run commands"],
    ["GLOBIGNORE POSIXLY_CORRECT PROMPT_COMMAND", "it changes how shells run commands"],
    ["LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GLIBC_TUNABLES", "how every program is loaded"],
    ["MALLOC_CHECK_ GCONV_PATH GETCONF_DIR LOCPATH NLSPATH", "how every program is loaded"],
    ["HOSTALIASES LOCALDOMAIN RES_OPTIONS", "how every program is loaded"],
    ["NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY", "it changes how Node.js runs programs"],
    ["NODE_ENVX UV_THREADPOOL_SIZE UV_USE_IO_URING", "it changes how Node.js runs programs"],
    ["GIT_DIR GIT_SSH_COMMAND GIT_OPTIONAL_LOCKS", "it changes what git does"],
    ["HTTPS_PROXY https_proxy NO_PROXY ALL_PROXY npm_config_https_proxy", "what reaches the network"],
    ["SSL_CERT_FILE SSL_CERT_DIR OPENSSL_CONF SSLKEYLOGFILE CURL_CA_BUNDLE", "which certificates count"],
    ["REQUESTS_CA_BUNDLE PIP_CERT CARGO_HTTP_CAINFO", "which certificates count"],
    ["FLOTILLA_SESSION FLOTILLA_CACHE COPILOT_OFFLINE GITHUB_TOKEN OPENAI_API_KEY", "it belongs to Flotilla"],
    ["GH_TOKEN GHE_HOST ANTHROPIC_API_KEY AZURE_OPENAI_ENDPOINT CAPI_HMAC_KEY", "it belongs to Flotilla"],
    ["OTEL_SERVICE_NAME XDG_CONFIG_HOME GOOGLE_GEMINI_BASE_URL MCP_TIMEOUT", "it belongs to Flotilla"],
    [
      "CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_SYSTEM_MD OPENCODE_CONFIG QWEN_HOME",
      "reads its own settings from it",
    ],
    ["ENABLE_TOOL_SEARCH NO_BROWSER INITIAL_AGENT_MODE", "reads its own settings from it"],
    ["BUN_OPTIONS BUN_BE_BUN BUN_INSPECT_NOTIFY", "it changes how Bun runs programs"],
    [
      "PRIVATE_KEY PRIVATE_KEY_PATH WEBHOOK_SECRET WEBHOOK_SECRET_OLD DASHBOARD_TOKEN",
      "the name of a secret of Flotilla",
    ],
    ["Path path node_options Git_Dir flotilla_x", "; take it out."],
  ])("are none of ours and none that change how programs run: %s", (names, why) => {
    const told = names.split(" ").map((name) => messages({ [name]: "x" }));
    expect(told).toEqual(names.split(" ").map(() => [expect.stringContaining(why)]));
  });

  test.each([
    [3000, "write text in quotes"],
    [true, "write text in quotes"],
    [null, "write text in quotes"],
    [["a"], "write text in quotes"],
    ["a\0b", "contains a NUL character"],
    ["ü".repeat(2049), "is longer than 4096 bytes"],
    ["x".repeat(5_000_000), "is longer than 4096 bytes"],
  ])("have no value that no program could read (case %#)", (value, fault) => {
    expect(messages({ A: value })).toEqual([expect.stringContaining(fault)]);
  });

  test("are at most 50", () => {
    expect(messages(many(50))).toEqual([]);
    expect(messages(many(51))).toEqual(["write at most 50 names."]);
  });

  test("never reach the prototype of an object", () => {
    const { data } = parse(JSON.parse('{ "__proto__": { "polluted": "yes" }, "A": "x" }'));
    expect(Object.keys(data ?? {})).toEqual(["A"]);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  test("do not contain the variable that holds the provider's key", () => {
    const environment = { MODEL_API_KEY: "x" };
    const fault = expect.stringContaining(
      "setup.environment.MODEL_API_KEY: runtime.provider.api_key_env names it",
    );
    expect(
      providerKeyFaults(
        { setup: { environment }, services: {} },
        { runtime: { provider: { apiKeyEnv: "MODEL_API_KEY" } }, providers: {} },
      ),
    ).toEqual([fault]);
    expect(
      providerKeyFaults(
        { setup: { environment }, services: {} },
        { runtime: {}, providers: { mine: { apiKeyEnv: "OTHER" } } },
      ),
    ).toEqual([]);
    expect(
      providerKeyFaults(
        { setup: { environment }, services: {} },
        { runtime: { provider: { apiKeyEnv: "constructor" } }, providers: {} },
      ),
    ).toEqual([]);
    expect(
      providerKeyFaults({ setup: { environment }, services: {} }, { runtime: {}, providers: {} }),
    ).toEqual([]);
    expect(
      providerKeyFaults(
        { setup: { environment }, services: {} },
        { runtime: {}, providers: { mine: { apiKeyEnv: "MODEL_API_KEY" } } },
      ),
    ).toEqual([
      "setup.environment.MODEL_API_KEY: providers.mine.api_key_env names it, and no agent gets that key; take it out.",
    ]);
  });
});
