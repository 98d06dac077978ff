import { expect, it } from "vitest";
import { readNoticeAddresses } from "../../src/config/notice-addresses.ts";
import { aReceiver } from "../factories/a-receiver.ts";

const KEY = `whsec_${Buffer.from("a key of thirty-two bytes, or so").toString("base64")}`;
const URL_OF_TEAM = "https://hooks.example.com/s3cret";

const faultsOf = (variables: Readonly<Record<string, string>>) =>
  readNoticeAddresses({ team: aReceiver() }, variables).faults;

it("reads address and key from the variables that the configuration names", () => {
  const { addresses, faults } = readNoticeAddresses(
    { team: aReceiver() },
    { TEAM_URL: URL_OF_TEAM, TEAM_KEY: KEY },
  );
  expect(faults).toEqual([]);
  expect(addresses.get("team")).toEqual({
    url: URL_OF_TEAM,
    secret: KEY.replace("whsec_", ""),
  });
});

it.each([
  [
    { TEAM_KEY: KEY },
    "notices.team.url_env: the environment variable TEAM_URL is not set; set it to the address to which notices are posted.",
  ],
  [
    { TEAM_KEY: KEY, TEAM_URL: "s3cret" },
    "notices.team.url_env: the environment variable TEAM_URL holds no address; set it to one such as https://hooks.example.com/….",
  ],
  [
    { TEAM_KEY: KEY, TEAM_URL: "http://hooks.example.com/s3cret" },
    "notices.team.url_env: the environment variable TEAM_URL holds an address without https; notices would be sent unencrypted.",
  ],
  [
    { TEAM_KEY: KEY, TEAM_URL: "https://team:s3cret@hooks.example.com/" },
    "notices.team.url_env: the environment variable TEAM_URL holds an address with a user name or password; take them out.",
  ],
  [
    { TEAM_URL: URL_OF_TEAM },
    'notices.team.secret_env: the environment variable TEAM_KEY is not set; make one with: echo "whsec_$(openssl rand -base64 32)"',
  ],
  [
    { TEAM_URL: URL_OF_TEAM, TEAM_KEY: "whsec_c2hvcnQ=" },
    'notices.team.secret_env: the environment variable TEAM_KEY holds no key of 24 to 64 bytes; make one with: echo "whsec_$(openssl rand -base64 32)"',
  ],
  [
    { TEAM_URL: URL_OF_TEAM, TEAM_KEY: KEY.replace("whsec_", "") },
    'notices.team.secret_env: the environment variable TEAM_KEY holds no key of 24 to 64 bytes; make one with: echo "whsec_$(openssl rand -base64 32)"',
  ],
])("says what is wrong, without quoting it: %#", (variables, fault) => {
  expect(faultsOf(variables)).toEqual([fault]);
});

it("accepts an address without https on this machine", () => {
  expect(faultsOf({ TEAM_URL: "http://127.0.0.1:9000/", TEAM_KEY: KEY })).toEqual([]);
});
