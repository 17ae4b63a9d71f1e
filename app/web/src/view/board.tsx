// The board: a row for each tier; the person's tiles in ink, ours in pencil beside them.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { placedCount } from "../logic/list";
import { lanesOf, least, most, type Lane } from "../logic/lanes";
import { rowTier, shortTier, tierLabel } from "../logic/names";
import { percentText } from "../logic/odds";
import type { Said } from "../logic/record";
import { overGap, withCommas } from "../logic/words";
import { act, onScreen, undo } from "../app/acts";
import { opened } from "../app/focus";
import { readOnly, shownList, small, thing, type State } from "../app/state";
import { changeSettings, store } from "../app/store";
import { pinWhy } from "../app/why";
import type { List, Tier } from "../types";
import { Ghost } from "./ghost";
import { Icon } from "./icons";
import { part, same } from "./part";
import { Face, Tile } from "./tile";
import { TierMenu } from "./tiermenu";

/** mutedItem is the item whose own guess must not be seen: "You first". */
export function mutedItem(s: State): string {
  if (s.held?.blind) return s.held.item;
  return s.dialog?.kind === "picker" && s.dialog.blind ? s.dialog.item : "";
}

export const Board = part(function Board({ s }: { s: State }): JSX.Element {
  const list = shownList(s);
  const muted = mutedItem(s);
  const guesses = s.guesses && (!readOnly(s) || (s.visit?.guesses ?? false));
  // An unblind item keeps its ghost while it is held by keyboard: the ghost has the focus.
  const lanes = useMemo(() => lanesOf(list.tiers, s.advice && { ...s.advice, items: [...s.odds.values()] }, new Set([muted, ...list.hidden])), [list.tiers, list.hidden, s.advice, s.odds, muted]);
  useEffect(() => {
    if (guesses) onScreen(lanes.flatMap((lane) => lane.ghosts.map(({ item }) => item)));
  }, [lanes, guesses]);
  const phone = s.width === "phone";
  const gap = s.held?.target?.kind === "gap" ? s.held.target.before : -1;
  return (
    <div class={`board${guesses ? "" : " unguessed"}`} data-area="board">
      {list.tiers.map((tier, row) => (
        <Fragment key={tier.id}>
          <Row s={s} list={list} row={row} lane={lanes.find((lane) => lane.from === row)} guesses={guesses} phone={phone} lanes={lanes} />
        </Fragment>
      ))}
      {gap >= 0 && <Gap list={list} before={gap} phone={phone} />}
    </div>
  );
});

interface RowProps {
  s: State;
  list: List;
  row: number;
  lane: Lane | undefined;
  lanes: Lane[];
  guesses: boolean;
  phone: boolean;
}

function Row({ s, list, row, lane, guesses, phone }: RowProps): JSX.Element {
  const tier = list.tiers[row];
  const { big, rest } = tierLabel(tier.name);
  const target = s.held?.target;
  const aimed = target?.kind === "tier" && target.tier === row;
  const at = aimed ? target.at : -1;
  const heldHere = s.held ? tier.items.indexOf(s.held.item) : -1;
  const others = tier.items.length - (heldHere >= 0 ? 1 : 0);
  const slot = aimed && at >= others && heldHere < 0;
  const gridRow = phone ? `${2 * row + 1} / span 2` : `${row + 1}`;
  const short = small(s);
  const menuOpen = s.tierMenu === tier.id;
  const put = short && s.said && tier.items.includes(s.said.item) ? s.said : null;
  const said = phone ? put : null; // a phone on its side has the sentence in the header
  return (
    <section class="tier" aria-labelledby={`tier-${tier.id}`}>
      <div class="spineBox" style={{ gridRow }}>
        <h2><button
          class={`spine fill-${tier.colour}${big ? "" : " nameless"}`}
          type="button"
          id={`tier-${tier.id}`}
          data-tier={tier.id}
          data-stop={`tier ${tier.id}`}
          aria-label={`${tier.name}. Tier ${row + 1} of ${list.tiers.length}${readOnly(s) ? "" : ", menu"}`}
          aria-haspopup={readOnly(s) ? undefined : "menu"}
          aria-expanded={readOnly(s) ? undefined : menuOpen}
          title={rowTier(tier.name)}
          onClick={() => {
            if (readOnly(s)) return;
            opened();
            store.set({ tierMenu: menuOpen ? "" : tier.id, renaming: "" });
          }}
        >
          <span class="stick" data-count={tier.items.length || ""}>
            {short ? <span class="big">{shortTier(tier.name)}</span> : big && <span class="big">{big}</span>}{" "}
            {!short && rest && <span class="rest" dir="auto">{rest}</span>}
          </span>
        </button></h2>
        {menuOpen && <TierMenu s={s} tier={tier} row={row} />}
      </div>
      <div class={`lane${aimed ? " aimed" : ""}`} data-row={row} style={{ gridRow: phone ? `${2 * row + 1}` : `${row + 1}` }}>
        <Placed tier={tier} items={s.items} held={heldHere >= 0 ? s.held!.item : ""} byKey={heldHere >= 0 && s.held?.by === "key"} lit={tier.items.includes(s.lit) ? s.lit : ""} at={aimed ? at : -1} slot={slot} preview={slot && s.held?.by === "key" ? s.held.item : ""} fresh={put?.item ?? ""} />
        {said && <SaidStrip said={said} />}
        {row === 0 && placedCount(list) === 0 && !s.held && !readOnly(s) && <p class="hint">{short ? `Tap ${thing(s)} ${phone ? "below" : "at the right"}, or hold it and drag it here.` : `Drag ${thing(s)} here, tap one below, or press / to find one.`}</p>}
      </div>
      {lane && <GuessLane s={s} lane={lane} guesses={guesses} phone={phone} />}
      {phone && !lane && <div class="guesses shared" aria-hidden="true" style={{ gridRow: `${2 * row + 2}` }} />}
    </section>
  );
}

interface PlacedProps {
  tier: Tier;
  items: State["items"];
  held: string; // the one of these items that is held, or ""
  byKey: boolean;
  lit: string;
  at: number; // where what is held would be dropped, or -1
  slot: boolean; // a place for it stands at the end
  preview: string; // the item in that place
  fresh: string; // what was just dropped
}

/** Placed are the tiles of a tier: an answer, or a drop elsewhere, does not draw them again. */
const Placed = same(function Placed({ tier, items, held, byKey, lit, at, slot, preview, fresh }: PlacedProps): JSX.Element {
  let seen = 0;
  return (
    <ul>
      {tier.items.map((item, i) => {
        const isHeld = held === item;
        const mark = at >= 0 && !isHeld && seen === at && !slot;
        if (!isHeld) seen++;
        return (
          <li key={item}>
            <Tile item={item} known={items.get(item)} where={`${tier.name}, ${i + 1} of ${tier.items.length}`} held={isHeld} byKey={byKey} lit={lit === item} mark={mark} fresh={fresh === item} />
          </li>
        );
      })}
      {slot && <li class="slot" aria-hidden="true">{preview && <Face item={preview} known={items.get(preview)} />}</li>}
    </ul>
  );
});

/** SaidStrip says on a phone what we had said, below what was just dropped. */
function SaidStrip({ said }: { said: Said }): JSX.Element {
  useEffect(() => {
    const timer = setTimeout(() => store.state.said === said && store.set({ said: null }), 8000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div class="saidStrip">
      <p><b>You: {said.put}.</b> We had said <span class="pencil">{said.said}, {percentText(said.percent)}</span></p>
      <button type="button" class="link" onClick={(event) => pinWhy(said.item, event.currentTarget)}>Why</button>
      <button type="button" class="link" onClick={undo}>Undo</button>
    </div>
  );
}

function GuessLane({ s, lane, guesses, phone }: { s: State; lane: Lane; guesses: boolean; phone: boolean }): JSX.Element {
  const gridRow = phone ? `${2 * lane.from + 2}` : `${lane.from + 1} / ${lane.to + 2}`;
  const nothing = s.advice?.general || placedCount(shownList(s)) === 0;
  return (
    <div class={`guesses${lane.heading ? " shared" : ""}`} style={{ gridRow }}>
      {guesses && lane.heading && lane.ghosts.length > 0 && <p class="where">{lane.heading}</p>}
      {guesses && nothing && lane.from === 0 && <p class="where none">Nothing to go on yet</p>}
      {guesses && !nothing && s.advice && lane.ghosts.length === 0 && <p class="where none">{emptyWords(s, lane)}</p>}
      {guesses && lane.ghosts.length > 0 && (
        <ul aria-label="We'd pencil in">
          {lane.ghosts.map((ghost) => (
            <li key={ghost.item}>
              <Ghost {...ghost} known={s.items.get(ghost.item)} lit={s.lit === ghost.item || s.why?.item === ghost.item} held={s.held?.item === ghost.item} byKey={s.held?.by === "key"} />
            </li>
          ))}
        </ul>
      )}
      {guesses && !readOnly(s) && lane.ghosts.length === most && lane.others.length > 0 && <Others s={s} lane={lane} />}
    </div>
  );
}

/** Others fills the tray with what would stand in a lane that had the room. It is seen where the lane is tall. */
function Others({ s, lane }: { s: State; lane: Lane }): JSX.Element {
  const place = lane.heading || shortTier(shownList(s).tiers[lane.from].name);
  const show = (): void => {
    changeSettings({ folded: false });
    store.set({ among: { title: place, words: `Most likely ${place}`, items: lane.others }, query: "" });
  };
  return <p class="others caption">and <button type="button" class="link" onClick={show}>{withCommas(lane.others.length)} more most likely {place}</button>{s.large ? ", of those we looked at" : ""}</p>;
}

/** emptyWords says why a lane has no guess. */
function emptyWords(s: State, lane: Lane): string {
  const tiers = shownList(s).tiers;
  const place = lane.heading || shortTier(tiers[lane.from].name);
  if (lane.most > 0) return `No guess reaches ${100 * least}% for ${place}: the highest is ${Math.floor(lane.most * 100)}%.`;
  return s.large ? `Nothing we looked at is most likely ${place}.` : `Nothing is most likely ${place}.`;
}

function Gap({ list, before, phone }: { list: List; before: number; phone: boolean }): JSX.Element {
  const last = before === list.tiers.length;
  const row = last ? before : before + 1;
  return (
    <div class={`gap${last ? " last" : ""}`} aria-hidden="true" style={{ gridRow: phone ? `${last ? 2 * row : 2 * row - 1}` : `${row}` }}>
      <span>{overGap(list, before).replace("New tier", "New tier here,").replace(/\.$/, "")}</span>
    </div>
  );
}

export function AddTier({ s }: { s: State }): JSX.Element {
  return (
    <div class="addTier">
      <button type="button" class="quiet" onClick={() => act({ kind: "addTier", before: s.list.tiers.length })}>
        <Icon name="plus" /> Add tier
      </button>
      {s.held && s.width === "wide" && <span class="hintText">Drop between two tiers to make a new one there</span>}
    </div>
  );
}
