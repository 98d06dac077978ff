import type pg from "pg";
import { z } from "zod";
import type { LocatedFault } from "../database.ts";
import type { Location } from "./location.ts";

/** Accepts standbys that a failover may lose commits with. */
export const STANDBY_VARIABLE = "DATABASE_ASYNC_STANDBY";

const settings = z.object({
  fsync: z.string(),
  full_page_writes: z.string(),
  synchronous_commit: z.string(),
  synchronous_standby_names: z.string(),
  standbys: z.int(),
});

const SETTINGS = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names,
  (SELECT count(*) FROM pg_stat_replication) AS standbys`;

/** Settings under which a commit survives a loss of power. */
const SAFE: Readonly<Record<"fsync" | "full_page_writes" | "synchronous_commit", readonly string[]>> = {
  fsync: ["on"],
  full_page_writes: ["on"],
  synchronous_commit: ["on", "local", "remote_write", "remote_apply"],
};

/** Returns the settings of the server with which acknowledged work could be lost. */
export async function durabilityFaults(
  client: Pick<pg.ClientBase, "query">,
  location: Location,
  { allowsAsyncStandby }: { readonly allowsAsyncStandby: boolean },
): Promise<readonly LocatedFault[]> {
  const found = settings.parse((await client.query(SETTINGS)).rows[0]);
  const unsafe = (["fsync", "full_page_writes", "synchronous_commit"] as const)
    .filter((name) => !SAFE[name].includes(found[name]))
    .map((name) => ({
      about: location.told,
      what: `the server has ${name} = ${found[name]}: acknowledged work could be lost when it loses power`,
      next: `Set ${name} = on for the server`,
    }));
  const waitsForNone = found.synchronous_standby_names === "" || found.synchronous_commit === "local";
  if (found.standbys === 0 || !waitsForNone || allowsAsyncStandby) return unsafe;
  return [
    ...unsafe,
    {
      about: location.told,
      what: "the server has standbys, and commits wait for none of them: after a failover, work that was acknowledged could be missing",
      next: `Set synchronous_standby_names and synchronous_commit = on, or accept the loss with ${STANDBY_VARIABLE}=allow`,
    },
  ];
}
