import { Client } from "pg";
import { OutsideError } from "../../../domain/kernel/errors.ts";
import { inOurWords } from "./connect.ts";
import { type Location, URL_VARIABLE } from "./location.ts";

/** Key of the lock that the process which serves a database holds. */
const PROCESS_LOCK = 0x464c4f54 + 2;

/** The claim of one process to serve a database, which ends with its connection. */
export interface OnlyProcess {
  /** Claims the database again if the connection was lost. Throws where another process has claimed it. */
  hold(): Promise<void>;
  end(): Promise<void>;
}

/** Claims the database for this process; throws `OutsideError` where another one has. */
export async function claimDatabase(location: Location): Promise<OnlyProcess> {
  let held: Client | undefined;
  let claiming: Promise<void> | undefined;
  const claim = async (): Promise<void> => {
    const client = new Client({
      connectionString: location.url,
      application_name: "flotilla (serving)",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    const lose = () => {
      if (held === client) held = undefined;
    };
    client.on("error", lose);
    client.on("end", lose);
    try {
      await client.connect();
      const { rows } = await client.query(`SELECT pg_try_advisory_lock(${PROCESS_LOCK}) AS claimed`);
      if (rows[0]?.claimed === true) {
        held = client;
        return;
      }
    } catch (error) {
      await client.end().catch(() => {});
      throw inOurWords(error, location);
    }
    await client.end();
    throw new OutsideError("database_in_use", `another Flotilla process serves ${location.told}`, {
      consequence: "stop",
      advice: `Stop that process, or name another database in ${URL_VARIABLE}`,
    });
  };
  const hold = async (): Promise<void> => {
    if (held !== undefined) return;
    claiming ??= claim().finally(() => {
      claiming = undefined;
    });
    await claiming;
  };
  await hold();
  return { hold, end: async () => held?.end() };
}
