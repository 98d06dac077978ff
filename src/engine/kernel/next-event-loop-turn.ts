/** Lets what waits in the event loop run: answers of the database never leave it by themselves. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
