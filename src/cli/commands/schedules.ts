import { type ScheduleJson, schedulesJson } from "../../dashboard/api/schedule-json.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { reading } from "../data-directory.ts";
import { settingsHere } from "../settings-here.ts";
import { printTable } from "../table.ts";

export const schedules: Command = {
  name: "schedules",
  summary: "list the schedules of the configuration: when each comes next, and what came of the last time",
  usage: "flotilla schedules",
  details: [
    "Schedules are named below `schedules` in the configuration; docs/schedules.md says how. Reads the database and works while Flotilla is stopped.",
  ],
  options: {},
  examples: ["flotilla schedules", "flotilla schedules --json"],
  async run(context) {
    const { print, options } = context;
    const settings = settingsHere(context);
    const now = systemClock.now();
    await reading(context, async (store) => {
      const seen = await schedulesJson(store, settings, now);
      if (options["json"] === true) print(JSON.stringify({ schedules: seen }));
      else if (seen.length === 0) print("The configuration names no schedule.");
      else printTable(print, ["SCHEDULE", "REPOSITORY", "NEXT", "LAST", "NOTE"], seen.map(cells));
    });
    return 0;
  },
};

const cells = ({ name, repository, next, last, note }: ScheduleJson) => [
  name,
  repository,
  next ?? "never",
  last ?? "not yet",
  note ?? "",
];
