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

const article = /^(.+), (the|a|an|la|le|les|l'|el|los|las|il|lo|gli|i|der|die|das|den|det|en|ett|o|os|as)$/;

/**
 * titleKey is the same for one title in different catalogues: "Seven (a.k.a. Se7en) (1995)" and "Seven (1995)", "Piano, The
 * (1993)" and "The Piano (1993)". The year counts: it tells films of one name apart.
 */
export function titleKey(name: string): string {
  const folded = fold(name);
  const year = /\((\d{4})\)$/.exec(folded)?.[1] ?? "";
  const bare = folded.replace(/\([^)]*\)/g, " ").replace(/\s+/g, " ").trim() || folded;
  const turned = bare.replace(article, (_, title: string, the: string) => `${the} ${title}`);
  return `${turned.replaceAll("&", "and").replace(/[^\p{L}\p{N}]+/gu, " ").trim()} ${year}`.trim();
}

/** titleWords is what to search a catalogue for: a title without its article, its year, and what stands in brackets. */
export function titleWords(name: string): string {
  const bare = name.replace(/\([^)]*\)/g, " ").trim() || name;
  return bare.replace(/^(the|a|an|la|le|les|el|los|las|il|der|die|das) (?=\S)/i, "").trim();
}
