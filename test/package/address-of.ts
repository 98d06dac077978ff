import type { Started } from "./install.ts";

/** The first address that it prints. Rejects with its words when it ends without one. */
export function addressOf(started: Started): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    started.stdout.on("data", (chunk: Buffer) => {
      said += String(chunk);
      const url = /http:\/\/[\w.:]+[^\s/]/.exec(said)?.[0];
      if (url !== undefined) resolve(url);
    });
    void started.ended.then(({ code, stderr }) =>
      reject(new Error(`it ended with ${String(code)} and gave no address: ${stderr}`)),
    );
  });
}
