import { lockDataDirectory } from "../../../../src/adapters/store/data-directory-lock.ts";

/** Locks the data directory, says so, and keeps it until it is killed. */
lockDataDirectory(process.argv[2] ?? "");
process.stdout.write("locked\n");
setInterval(() => {}, 60_000);
