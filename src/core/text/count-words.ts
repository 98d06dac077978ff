export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

export function inARow(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}
