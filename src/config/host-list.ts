import { z } from "zod";
import { isHostName } from "../domain/access/host-name.ts";

/** Names of hosts, none by default. */
export const hostList = () =>
  z
    .array(
      z.string().refine(isHostName, {
        error:
          "write the whole name of a host in small letters, such as registry.npmjs.org; no address, port, path or *, and no host of this machine or its network",
      }),
    )
    .prefault([]);
