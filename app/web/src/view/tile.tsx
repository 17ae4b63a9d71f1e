// An item as the person's own: a solid tile.
import { Fragment, h, type JSX } from "preact";
import { dated, plain } from "../logic/names";
import { openPicker } from "../app/keys";
import { light, unlight } from "../app/lit";
import { readOnly } from "../app/state";
import { store } from "../app/store";
import type { Item } from "../types";
import { same } from "./part";

interface Props {
  item: string;
  known: Item | undefined;
  where: string; // "S Every day, 1 of 5", or "not placed"
  held: boolean;
  byKey: boolean;
  lit: boolean;
  mark: boolean; // an insertion mark stands before it
}

export const Tile = same(function Tile({ item, known, where, held, byKey, lit, mark }: Props): JSX.Element {
  const name = known?.name ?? item;
  const classes = ["tile", !known?.emoji && "wordy", held && "lifted", lit && "lit", mark && "marked"].filter(Boolean).join(" ");
  return (
    <button
      class={classes}
      type="button"
      data-item={item}
      data-stop={item}
      data-drag="tile"
      role={held && byKey ? "application" : undefined}
      aria-roledescription={held && byKey ? "held item" : undefined}
      aria-label={`${name}, ${where}`}
      title={plain(name)}
      onClick={() => !readOnly(store.state) && openPicker(item)}
      onPointerEnter={(event) => event.pointerType === "mouse" && !store.state.held && light(item)}
      onPointerLeave={() => unlight(item)}
    >
      <Face name={name} emoji={known?.emoji} />
    </button>
  );
});

/** Face is what a tile shows: an emoji with the name below it, or the name alone, its year apart. */
export function Face({ name, emoji }: { name: string; emoji: string | undefined }): JSX.Element {
  const { title, year } = emoji ? { title: name, year: "" } : dated(name);
  return (
    <Fragment>
      {emoji && <span class="emoji" aria-hidden="true">{emoji}</span>}
      <span class="name" dir="auto" lang="en">{title}</span>
      {year && <span class="year">{year}</span>}
    </Fragment>
  );
}
