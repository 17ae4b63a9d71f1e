// An item as the model pencils it in: dashed, with its number.
import { h, type JSX } from "preact";
import { parted, soft, titleOf } from "../logic/names";
import { percentText } from "../logic/odds";
import type { Ghost as GhostOf } from "../logic/lanes";
import type { Item } from "../types";
import { light, unlight } from "../app/lit";
import { store } from "../app/store";
import { same } from "./part";
import { Motif, paperClass } from "./poster";
import { blurWhy, focusWhy, hoverWhy, leaveWhy, pinWhy } from "../app/why";

interface Props extends GhostOf {
  known: Item | undefined;
  lit: boolean;
  held: boolean;
  byKey: boolean;
}

export const Ghost = same(function Ghost({ item, percent, tag, known, lit, held, byKey }: Props): JSX.Element {
  const { title: name, year } = titleOf(known, item);
  const [stem, tail] = parted(known?.emoji ? name : soft(name));
  return (
    <button
      class={`ghost${lit ? " lit" : ""}${held ? " lifted" : ""}${known?.emoji ? "" : ` wordy${paperClass(known) && " papered"}`}`}
      type="button"
      data-item={item}
      data-stop={`ghost ${item}`}
      data-drag="guess"
      role={held && byKey ? "application" : undefined}
      aria-label={`${percentText(percent)} ${known?.emoji ? name : soft(name)}${year && `, ${year}`}, our guess: ${tag}. Not placed.`}
      onClick={(event) => pinWhy(item, event.currentTarget)}
      onFocus={(event) => focusWhy(item, event.currentTarget)}
      onBlur={blurWhy}
      onPointerEnter={(event) => {
        if (event.pointerType !== "mouse" || store.state.held) return;
        light(item);
        hoverWhy(item, event.currentTarget);
      }}
      onPointerLeave={() => {
        unlight(item);
        leaveWhy();
      }}
    >
      {!known?.emoji && <Motif item={known} />}
      <span class="said">
        {known?.emoji && (
          <span class="room" aria-hidden="true">
            <span class="emoji">{known.emoji}</span>
          </span>
        )}
        <span class="percent">{percentText(percent)}</span>
      </span>{" "}
      <span class={`name${tail && " tailed"}`} dir="auto" lang="en">
        {tail ? <span class="stem">{stem}</span> : stem}{tail && <span class="tail">{tail}</span>}
      </span>
      <Bar percent={percent} />
    </button>
  );
});

/** Bar is a length on a 0–100% track. The length is an SVG attribute, which the strict CSP allows. */
export function Bar({ percent, mark = "pencil", hollow = false }: { percent: number; mark?: string; hollow?: boolean }): JSX.Element {
  return (
    <svg class={`bar mark-${mark}${hollow ? " hollow" : ""}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x="0" y="3" width="100" height="2" />
      <rect class="length" x="0" y="0" width={Math.max(percent, 0.8)} height="8" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
