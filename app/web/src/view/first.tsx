// The first minute: one sentence, one card, the tiers as large buttons.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { nearest, roughGuesses } from "../logic/first";
import { placedCount } from "../logic/list";
import { placeTag, placeWords, plain, shortTier, tierLabel, titleOf } from "../logic/names";
import { percentText } from "../logic/odds";
import { saidWords } from "../logic/record";
import { count } from "../logic/words";
import { onScreen } from "../app/acts";
import { another, answer, backOne, leaveFirst, neverTried, tenMore } from "../app/first";
import { small, thing, type State } from "../app/state";
import { nameOf } from "../app/store";
import { paperClass, Picture, Thumb } from "./poster";
import { Worlds } from "./worlds";

const fewest = 5; // answers that the server asks for at least, and at most (use/deal)
const most = 15;

export function First({ s }: { s: State }): JSX.Element {
  const first = s.first!;
  const done = placedCount(s.list);
  const word = { "a film": "Film", "a food": "Food" }[thing(s)] ?? "Item";
  return (
    <main class="first" id="main">
      <div class="firstHead">
        <div>
          <h1>Sort what you know. We learn your taste and guess the rest.</h1>
          {!small(s) && <p>About ten answers make a start: one minute, no account. We stop asking when our guesses hold still.</p>}
        </div>
        <button type="button" class="link" onClick={() => leaveFirst(true)}>Skip to the board</button>
      </div>
      <Worlds />
      <div class="firstBody">
        <section class="panel card" aria-label="What we ask about">
          <div class="steps">
            <b>{first.enough ? count(done, "answer") : `${word} ${done + 1}${first.goal > 0 ? ` of ${first.goal}` : done < fewest ? ` of ${fewest} or more` : `, ${most} at most`}`}</b>
            <span class="bars" aria-hidden="true">{Array.from({ length: first.goal || Math.max(fewest, done + (first.enough ? 0 : 1)) }, (_, i) => <i key={i} class={i < done ? "full" : i === done ? "now" : ""} />)}</span>
            <button type="button" class="link" disabled={first.past.length === 0} onClick={backOne}>Back one</button>
          </div>
          {first.enough ? <Enough /> : first.card ? <Card key={first.card} s={s} /> : <p class="caption dealing" role="status">Dealing…</p>}
        </section>
        <aside class="thinks" aria-label="What we think so far">
          <Thinks s={s} />
          {!small(s) && <OwnBoard s={s} />}
        </aside>
      </div>
    </main>
  );
}

function Card({ s }: { s: State }): JSX.Element {
  const first = s.first!;
  const item = s.items.get(first.card);
  const { title, year } = titleOf(item, first.card);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (first.past.length > 0 || !matchMedia("(pointer: coarse)").matches) box.current?.focus({ preventScroll: true }); // a phone shows no frame that nobody asked for
  }, []);
  const groups = item?.groups?.length ? item.groups : item?.group ? [item.group] : [];
  const facts = [year, groups.join(", "), item?.support && first.people ? `rated by ${item.support.toLocaleString("en-GB")} of ${first.people.toLocaleString("en-GB")} people here` : ""].filter(Boolean);
  return (
    <div class="dealt" ref={box} tabIndex={-1} role="group" aria-label={`${plain(title)}: where would you put it?`}>
      <div class={`dealtPicture${item?.emoji ? "" : paperClass(item)}`} aria-hidden="true">
        {item?.emoji ? <span class="emoji">{item.emoji}</span> : <Fragment><Picture item={item} /><b>{title}</b><span class="year">{year}</span></Fragment>}
      </div>
      <div class="dealtName">
        <h2 dir="auto">{plain(title)}</h2>
        <p class="caption">{facts.join(" · ")}</p>
        <p class="caption">You first: our guess shows after you answer.</p>
      </div>
      <div class="answers">
        {s.list.tiers.map((tier, i) => (
          <button key={tier.id} type="button" onClick={() => answer(i)}>
            <b class={`fill-${tier.colour}`}>{shortTier(tier.name)}</b>
            <span dir="auto">{tierLabel(tier.name).rest || tier.name}</span>
            <kbd aria-hidden="true">{i + 1}</kbd>
          </button>
        ))}
      </div>
      <div class="others">
        <button type="button" class="outlined" onClick={neverTried}>Never tried it <kbd aria-hidden="true">0</kbd></button>
        <button type="button" class="outlined" onClick={another}>{small(s) ? "Another" : "Deal me another"} <kbd aria-hidden="true">Space</kbd></button>
      </div>
    </div>
  );
}

function Enough(): JSX.Element {
  const see = useRef<HTMLButtonElement>(null);
  useEffect(() => see.current?.focus(), []);
  return (
    <div class="enough">
      <h2>That is enough for a start.</h2>
      <p>The board opens with what you placed, and our guesses in pencil beside it.</p>
      <button ref={see} type="button" class="filled" onClick={() => leaveFirst(true)}>See what we think</button>
      <button type="button" class="outlined" onClick={tenMore}>Ten more</button>
    </div>
  );
}

/** Thinks comes after the third answer: rough guesses, and what we had said of the last one. */
function Thinks({ s }: { s: State }): JSX.Element {
  const done = placedCount(s.list);
  const rough = done >= 3 ? roughGuesses(s.advice, s.odds, s.known, s.first!.card) : [];
  const shown = rough.map(({ item }) => item).join(" ");
  useEffect(() => {
    if (shown) onScreen(shown.split(" "));
  }, [shown]);
  const stand = done >= 4 ? nearest(s.list, s.map) : null;
  const name = (item: string): string => plain(nameOf(item));
  return (
    <section class="panel soFar">
      <header><h2>What we think so far</h2><span class="caption">{count(done, "answer")}</span></header>
      {stand && <p class="caption">Nearer to {name(stand.near[0])} and {name(stand.near[1])} than to {name(stand.far)}. Still a rough pencil line.</p>}
      {rough.length === 0 && <p class="caption">{done < 3 ? `After the third answer our first guesses stand here. Place ${thing(s)} to begin.` : "Guesses are on their way…"}</p>}
      <ul>
        {rough.map(({ item, place, percent }) => (
          <li key={item}>
            <span class="tag" aria-hidden="true">{placeTag(place, s.list.tiers)}</span>
            <span class="roughName" dir="auto">{name(item)} <span class="caption">{titleOf(s.items.get(item), item).year}</span><span class="unseen">, most likely {placeWords(place, s.list.tiers)}</span></span>
            <svg class="track" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="4" /><rect class="length" width={percent} height="4" /></svg>
            <b class="pencil">{percentText(percent)}</b>
          </li>
        ))}
      </ul>
      {s.said && <p class="just">{saidWords(s.said)}</p>}
    </section>
  );
}

function OwnBoard({ s }: { s: State }): JSX.Element {
  return (
    <section class="panel ownBoard">
      <header><h2>Your board</h2><span class="caption">{placedCount(s.list)} placed, {s.list.never.length} never tried</span></header>
      {s.list.tiers.map((tier) => (
        <div key={tier.id} class="ownRow">
          <b class={`fill-${tier.colour}`} aria-label={tier.name}>{shortTier(tier.name)}</b>
          <ul>{tier.items.map((item) => <li key={item}><Thumb item={s.items.get(item)} /> <span dir="auto">{plain(nameOf(item))}</span></li>)}</ul>
        </div>
      ))}
    </section>
  );
}
