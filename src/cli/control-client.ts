import { request } from "node:http";
import { OutsideError } from "../domain/kernel/errors.ts";
import { controlSocket } from "../server/control/control-server.ts";

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Asks the serving process of the data directory to act. Throws `not_serving` when none runs there,
 * `forbidden` when its socket belongs to another account.
 */
export async function control(dataDir: string, path: string, body: object = {}): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => reject(unanswered(dataDir, cause));
    const asked = request({ socketPath: controlSocket(dataDir), path, method: "POST" }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        text += part;
      });
      answer.on("error", failed);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown }));
    });
    asked.on("error", failed);
    asked.end(JSON.stringify(body));
  });
}

/** Returns the error for a socket on which nobody answered. */
export function unanswered(dataDir: string, cause: Error): OutsideError {
  if ("code" in cause && cause.code === "EACCES")
    return new OutsideError("forbidden", `${controlSocket(dataDir)} belongs to another account`, {
      consequence: "tell",
      advice: "Run the command as the account that runs Flotilla.",
      cause,
    });
  return new OutsideError("not_serving", `no Flotilla is serving ${dataDir}`, {
    consequence: "retry",
    advice: "Start it with `npm start`, or set FLOTILLA_DATA_DIR to the directory of the one that runs.",
    cause,
  });
}
