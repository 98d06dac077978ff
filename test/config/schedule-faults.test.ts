import { expect, it } from "vitest";
import { faultsOf, SOUND_YAML } from "./workplace.ts";

const schedule = (more: string) =>
  `${SOUND_YAML}\nschedules: { weekly: { repository: acme/app, cron: "0 6 * * 1", role: triage, title: T, body: B, ${more} } }`;

it("accepts a sound one", () => {
  expect(faultsOf(schedule(""))).toEqual([]);
});

it.each([
  ['cron: "0 6 * *"', "write five fields"],
  ['cron: "61 6 * * *"', "cannot be read"],
  ['cron: "0 6 31 2 *"', "names a time that never comes"],
  ["time_zone: Berlin", "write a time zone such as Europe/Berlin"],
  ["repository: acme", "write owner/name"],
  ["role: nobody", "schedules.weekly.role: there is no role nobody; the roles are"],
])("says what is wrong with %s", (more, fault) => {
  const written = more.split(":")[0] ?? "";
  const text = schedule(more).replace(new RegExp(`${written}: (?:"[^"]*"|[\\w/]+), (?=.*${written}:)`), "");
  const faults = faultsOf(text);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
});
