import { expect, it } from "vitest";
import { commandEnvironment } from "../../src/server/command-environment.ts";

it("passes what commands need to run, and no variable that may hold a secret", () => {
  const host = {
    PATH: "/opt/node/bin:/usr/bin",
    LANG: "de_DE.UTF-8",
    TZ: "Europe/Berlin",
    SSL_CERT_FILE: "/etc/ssl/company.pem",
    NODE_EXTRA_CA_CERTS: "/etc/ssl/company.pem",
    REQUESTS_CA_BUNDLE: "/etc/ssl/company.pem",
    PIP_CERT: "/etc/ssl/company.pem",
    CARGO_HTTP_CAINFO: "/etc/ssl/company.pem",
    PIP_CLIENT_CERT: "/etc/ssl/private/hidden.pem",
    WEBHOOK_SECRET: "hidden",
    MODEL_API_KEY: "hidden",
    HTTPS_PROXY: "http://user:hidden@proxy",
    // An invented home.
    HOME: "/home/somebody",
    NODE_OPTIONS: "--require ./hook.js",
  };
  expect(commandEnvironment(host)).toEqual({
    PATH: "/opt/node/bin:/usr/bin",
    LANG: "de_DE.UTF-8",
    TZ: "Europe/Berlin",
    // Where the network is read by a company's proxy, setup commands download nothing without these.
    SSL_CERT_FILE: "/etc/ssl/company.pem",
    NODE_EXTRA_CA_CERTS: "/etc/ssl/company.pem",
    REQUESTS_CA_BUNDLE: "/etc/ssl/company.pem",
    PIP_CERT: "/etc/ssl/company.pem",
    CARGO_HTTP_CAINFO: "/etc/ssl/company.pem",
  });
});

it("finds the system's programs where the host says nothing", () => {
  expect(commandEnvironment({})).toEqual({ PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" });
});
