import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const TEXT = readFileSync("config/deploy/flotilla.service", "utf8");
const GUIDE = readFileSync("docs/deploy.md", "utf8");
const LINES = TEXT.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const SET = new Map(
  LINES.filter((line) => !line.startsWith("[")).map((line) => {
    const [, name = "", value = ""] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    return [name, value];
  }),
);

describe("the systemd unit", () => {
  it("is well-formed, and sets nothing twice", () => {
    expect(LINES.filter((line) => line.startsWith("["))).toEqual(["[Unit]", "[Service]", "[Install]"]);
    expect(SET.has("")).toBe(false);
    expect(SET.size).toBe(LINES.length - 3);
  });

  it("runs the package's command as a user of its own, who gains no rights", () => {
    expect(Object.fromEntries(SET)).toMatchObject({
      User: "flotilla",
      ExecStart: "/opt/flotilla/node_modules/.bin/flotilla serve",
      StateDirectoryMode: "0700",
      UMask: "0077",
      NoNewPrivileges: "yes",
      Delegate: "memory pids",
      CapabilityBoundingSet: "",
      ProtectSystem: "strict",
    });
  });

  it("leaves to bubblewrap what it makes a sandbox with, to agents their groups, and says in the guide which lines would take it", () => {
    const breaking =
      "ProtectKernelTunables ProtectKernelLogs ProtectProc ProcSubset RestrictNamespaces PrivateUsers ProtectHostname ProtectControlGroups MemoryDenyWriteExecute".split(
        " ",
      );
    expect(breaking.filter((name) => SET.has(name))).toEqual([]);
    expect(breaking.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
    expect(SET.get("SystemCallFilter")).toMatch(/^~/);
    expect(SET.get("SystemCallFilter")).not.toMatch(/@(mount|privileged|sandbox|debug)/);
    expect(SET.get("RestrictAddressFamilies")).toContain("AF_NETLINK");
  });

  it("goes on trying when a start is refused, as while the database's server is away", () => {
    expect(Object.fromEntries(SET)).toMatchObject({ Restart: "on-failure", StartLimitIntervalSec: "0" });
    expect(SET.has("StartLimitBurst")).toBe(false);
  });

  it("is explained line by line", () => {
    const explained = ["ExecStart", "WorkingDirectory", "Description", "After", "WantedBy"];
    const unsaid = [...SET.keys()].filter(
      (name) => !explained.includes(name) && !GUIDE.includes(`\`${name}`),
    );
    expect(unsaid).toEqual([]);
  });
});
