const OPERATION = "operator:";

/** Returns the name of what an operation of a person on the page or the command line causes; `id` = that of the request. */
export function operationName(id: string): string {
  return `${OPERATION}${id}`;
}

/** Returns whether an operation of a person causes it. */
export function isOperation(name: string | null): boolean {
  return name?.startsWith(OPERATION) === true;
}
