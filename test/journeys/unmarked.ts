/** Returns a text for the model without the marks around texts of others, whatever their random word. */
export function unmarked(text: string): string {
  return text.replaceAll(/<<([\w-]{12})<< ([^]*?)[ \n]>>\1>>/g, "$2");
}
