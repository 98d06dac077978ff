import { expect, test } from "vitest";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const faults = (sandbox: string, more = "") =>
  faultsOf(`${SOUND_YAML.replace("{ mode: none }", `{ ${sandbox} }`)}${more}`);

test.each([
  ["mode: bubblewrap", ""],
  ["network: proxy, allow_hosts: [pypi.org]", "setup: { network: [registry.npmjs.org] }"],
  ["mode: none", "setup: { cache: [npm] }"],
])("{ %s } %s is sound", (sandbox, more) => {
  expect(faults(sandbox, more)).toEqual([]);
});

test.each([
  ["mode: none, network: proxy, allow_hosts: [pypi.org]", "", "sandbox.mode: none holds nobody back"],
  ["mode: none, allow_hosts: [pypi.org]", "", "sandbox.mode: none holds nobody back"],
  ["mode: none", "setup: { network: [pypi.org] }", "sandbox.mode: none holds nobody back"],
  ["allow_hosts: [pypi.org]", "", "sandbox.allow_hosts: needs `network: proxy`"],
  ["network: proxy", "", "sandbox.network: proxy needs the hosts"],
  ["network: proxy, allow_hosts: [10.0.0.1]", "", "write the whole name of a host"],
  ["network: proxy, allow_hosts: [localhost]", "", "write the whole name of a host"],
  ["network: proxy, allow_hosts: ['*.pypi.org']", "", "write the whole name of a host"],
  ["mode: bubblewrap", "setup: { network: ['https://pypi.org'] }", "write the whole name of a host"],
  ["mode: bubblewrap", "setup: { cache: [../other] }", "write a name, such as npm"],
])("{ %s } %s is refused", (sandbox, more, fault) => {
  expect(faults(sandbox, more)).toEqual([expect.stringContaining(fault)]);
});

test("GitHub Copilot is not reached from a sandbox without a network, and may be by a proxy", () => {
  const env = { COPILOT_GITHUB_TOKEN: "t" };
  expect(faultsOf("project: { name: x }\n", { env })).toEqual([
    expect.stringContaining("keeps a confined agent from GitHub Copilot"),
  ]);
  const proxied = "sandbox: { network: proxy, allow_hosts: [api.githubcopilot.com] }\n";
  expect(load(proxied, { env }).config.sandbox.allowHosts).toEqual(["api.githubcopilot.com"]);
});
