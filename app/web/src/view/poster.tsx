// The picture of an item that has no emoji: from the catalogue where it has one, drawn where it has none.
import { h, type JSX } from "preact";
import { useState } from "preact/hooks";
import { motifOf, paperOf } from "../logic/poster";
import type { Item } from "../types";

/** own says whether a picture is a file of this server; pictures elsewhere are not fetched. */
const own = (picture: string): boolean => picture.startsWith("data:image/jpeg;") || !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(picture);

/** addressOf is where the browser finds it: what the person brought is in the address itself. */
const addressOf = (picture: string): string => (picture.startsWith("data:") ? picture : `/pictures/${picture.split("/").map(encodeURIComponent).join("/")}?w=140`);

/** paperClass is the paper of an item, for the class of what shows it. */
export const paperClass = (item: Item | undefined): string => {
  const paper = paperOf(item);
  return paper ? ` paper paper-${paper}` : "";
};

/** Motif is the drawing at the bottom of the paper; outlined, in pencil. */
export function Motif({ item }: { item: Item | undefined }): JSX.Element | null {
  const paper = paperOf(item);
  if (!paper) return null;
  return (
    <svg class="motif" viewBox="0 0 70 78" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
      <path d={motifOf(paper)} />
    </svg>
  );
}

/** Picture is the catalogue's own, fetched when it comes near; where it fails the drawing stays. */
export function Picture({ item }: { item: Item | undefined }): JSX.Element | null {
  const [failed, setFailed] = useState(false);
  if (!item?.picture || failed || !own(item.picture)) return <Motif item={item} />;
  return <img class="photo" src={addressOf(item.picture)} alt="" loading="lazy" decoding="async" width="70" height="78" draggable={false} onError={() => setFailed(true)} />;
}

/** Thumb is a small poster beside a name. */
export function Thumb({ item }: { item: Item | undefined }): JSX.Element {
  if (item?.emoji) return <span class="emoji" aria-hidden="true">{item.emoji}</span>;
  return <span class={`thumb${paperClass(item)}`} aria-hidden="true"><Picture item={item} /></span>;
}
