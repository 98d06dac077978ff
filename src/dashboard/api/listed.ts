import type { Answer } from "../../http/answer.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";

/** Returns a read of many rows that waits for its turn. */
export function listed(read: (parts: ApiParts, asked: ViewerAsked) => Promise<Answer>) {
  return async (parts: ApiParts, asked: ViewerAsked): Promise<Answer> => {
    // May ask GitHub, so it runs outside of any turn.
    await asked.rights.repositories();
    return parts.turns.take(() => read(parts, asked));
  };
}
