// Items of the person's own, which the catalogue does not have. Their id holds their name, so that a list that is shared or exported has it too.
const mark = "own:";

/** longest is how many characters the name may have: ids are at most 200 bytes, and a character may take four. */
export const longest = 48;

export const isOwn = (item: string): boolean => item.startsWith(mark);
export const ownName = (item: string): string => item.slice(mark.length);
export const ownId = (name: string): string => mark + [...name.trim().replace(/\s+/g, " ")].slice(0, longest).join("");
