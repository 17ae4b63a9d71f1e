// An item as the person's own: a solid tile.
import { Fragment, h, type JSX } from "preact";
import { plain, soft, titleOf } from "../logic/names";
import { isOwn } from "../logic/own";
import { openPicker } from "../app/keys";
import { light, unlight } from "../app/lit";
import { readOnly } from "../app/state";
import { store } from "../app/store";
import type { Item } from "../types";
import { same } from "./part";
import { paperClass, Picture } from "./poster";

interface Props {
  item: string;
  known: Item | undefined;
  where: string; // "S Favourites, 1 of 5", or "not placed"
  held: boolean;
  byKey: boolean;
  lit: boolean;
  mark: boolean; // an insertion mark stands before it
  fresh?: boolean; // it was just dropped
  tag?: string; // of an item that is found by a search: the tier that it is in
  colour?: string; // of that tier
}

export const Tile = same(function Tile({ item, known, where, held, byKey, lit, mark, fresh, tag, colour }: Props): JSX.Element {
  const { title, year } = titleOf(known, item);
  const shown = soft(title); // a label must begin with what is seen
  const classes = ["tile", !known?.emoji && "wordy", !known && !isOwn(item) && "unnamed", held && "lifted", lit && "lit", mark && "marked", fresh && "fresh"].filter(Boolean).join(" ");
  return (
    <button
      class={`${classes}${known?.emoji ? "" : paperClass(known)}`}
      type="button"
      data-item={item}
      data-stop={item}
      data-drag="tile"
      role={held && byKey ? "application" : undefined}
      aria-roledescription={held && byKey ? "held item" : undefined}
      aria-label={`${[shown, year].filter(Boolean).join(" ")}, ${where}`}
      title={plain([title, year].filter(Boolean).join(", "))}
      onClick={() => !readOnly(store.state) && openPicker(item)}
      onPointerEnter={(event) => event.pointerType === "mouse" && !store.state.held && light(item)}
      onPointerLeave={() => unlight(item)}
    >
      <Face item={item} known={known} />
      {tag && <span class={`inTier${colour ? ` fill-${colour}` : ""}`} aria-hidden="true" data-tag={tag} />}
    </button>
  );
});

/**
 * words are those of a name. One that may break is a box of its own: it goes to the next line whole, and breaks only where a line
 * is too short for it. In a name too long for its tile every word is one, so that what is cut off is the end of the name, and
 * the label holds what is seen; its year is drawn by the style sheet, for it does not follow what is left of the name.
 */
const words = (name: string): (string | JSX.Element)[] => soft(name).split(/( )/).map((word, k) => (word.includes("\u00ad") || (word !== " " && name.length > long) ? <span class="word" key={k}>{word}</span> : word));

const long = 32; // characters: more than two lines of a tile

/** Face is what a tile shows: an emoji with the name below it, or the name with its year on paper. */
export const Face = same(function Face({ item, known }: { item: string; known: Item | undefined }): JSX.Element {
  const { title, year } = titleOf(known, item);
  return (
    <Fragment>
      {known?.emoji ? <span class="emoji" aria-hidden="true">{known.emoji}</span> : <Picture item={known} />}
      <span class="name" dir="auto" lang="en">{words(title)}</span>{year && " "}
      {year && (title.length > long ? <span class="year" data-year={year} /> : <span class="year">{year}</span>)}
    </Fragment>
  );
});
