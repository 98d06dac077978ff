import type { Engine } from "../../engine/engine.ts";

/** How often a controller looks whether another machine asks for a token. */
const TOKEN_LOOK_MS = 250;

/** Answers machines without the App's key while there are such; `begin` returns the function that ends it. */
export function tokensForOthers(engine: Pick<Engine, "othersAskForTokens">, answer: () => Promise<void>) {
  let last: Promise<void> | null = null;
  let isOver = false;
  const look = (): void => {
    if (last !== null || isOver || !engine.othersAskForTokens()) return;
    last = answer().finally(() => {
      last = null;
    });
  };
  return {
    look,
    begin: () => {
      const timer = setInterval(look, TOKEN_LOOK_MS);
      return async () => {
        isOver = true;
        clearInterval(timer);
        await last;
      };
    },
  };
}
