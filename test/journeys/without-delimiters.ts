/** Returns a text for the model without the delimiters around texts of others, whatever their random word. */
export function withoutDelimiters(text: string): string {
  return text.replaceAll(/<<([\w-]{12})<< ([^]*?)[ \n]>>\1>>/g, "$2");
}
