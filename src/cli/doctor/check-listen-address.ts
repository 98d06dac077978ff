import { dataDirectoryHolder } from "../../adapters/store/data-directory-lock.ts";
import { listenError, notListening } from "../../server/listening.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { control } from "../control-client.ts";
import type { Check } from "./check.ts";

/**
 * Checks whether `serve` would get its data directory and its address. Finds nothing while a Flotilla with
 * this data directory answers, because both are its own.
 */
export const checkListenAddress: Check = async ({ dataDir, config: { environment } }) => {
  const { host, port } = environment;
  if (await answers(dataDir)) return [];
  const holder = dataDirectoryHolder(dataDir);
  const held: Finding = {
    about: dataDir,
    what: `is used by another flotilla process${holder ?? ""} that does not answer commands: a second one would not start`,
    next: "Wait until it has started, or end it; or set FLOTILLA_DATA_DIR to another directory",
  };
  const refused = port === 0 ? undefined : await listenError({ host, port });
  return [
    ...(holder === undefined ? [] : [held]),
    ...(refused === undefined ? [] : [notListening({ host, port }, refused)]),
  ];
};

async function answers(dataDir: string): Promise<boolean> {
  return control(dataDir, "/is-anybody-there").then(
    () => true,
    () => false,
  );
}
