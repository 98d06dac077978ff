import { expect, test } from "vitest";
import { agentHosts, mayRunIn } from "../../../src/domain/access/confinement.ts";
import { CONFINED, someSettings } from "../../factories/some-settings.ts";

const HOSTS = { ...CONFINED, allowHosts: ["pypi.org"] };

test("an agent reaches the hosts that are allowed, where there is a proxy", () => {
  expect(agentHosts({ sandbox: HOSTS })).toEqual([]);
  expect(agentHosts({ sandbox: { ...HOSTS, network: "proxy" } })).toEqual(["pypi.org"]);
});

test("agents that run unconfined run in private repositories alone", () => {
  const unconfined = someSettings();
  expect(mayRunIn(unconfined, { private: true })).toBe(true);
  expect(mayRunIn(unconfined, { private: false })).toBe(false);
  expect(mayRunIn({ sandbox: CONFINED }, { private: false })).toBe(true);
});
