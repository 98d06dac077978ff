/** Yields to the event loop: database answers alone never do. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
