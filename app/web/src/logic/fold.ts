// Search that ignores case, accents, soft hyphens and width.

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u00ad]/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe")
    .replace(/\s+/g, " ")
    .trim();
}

/** matches says whether every word of the query begins some word of the name, or stands inside it. */
export function matches(name: string, query: string): boolean {
  const folded = fold(name);
  return fold(query)
    .split(" ")
    .every((word) => folded.includes(word));
}
