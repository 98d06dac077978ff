import type { CopilotSession } from "@github/copilot-sdk";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../core/ports/log.ts";

/** Ends the shells that the model left running in the background; never rejects, since what survives is killed at the stop. */
export async function cancelBackgroundShells(session: CopilotSession, log: Log): Promise<void> {
  try {
    const { tasks } = await session.rpc.tasks.list();
    const running = tasks.filter(({ status }) => status === "running");
    await Promise.all(running.map(({ id }) => session.rpc.tasks.cancel({ id })));
  } catch (error) {
    log.debug({ session: session.sessionId, detail: messageOf(error) }, "background shells not cancelled");
  }
}
