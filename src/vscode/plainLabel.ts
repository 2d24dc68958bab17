/** A list of the editor draws `$(name)` as an icon: text of others stays text. */
export function plainLabel(text: string): string {
  return text.replaceAll("$(", "$\u200B(");
}
