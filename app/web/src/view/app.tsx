// The page as a whole.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { cut, longestTitle, placedCount } from "../logic/list";
import { count, demoLabel, withCommas } from "../logic/words";
import { act, undo } from "../app/acts";
import { pickFile } from "../app/files";
import { roveSoon } from "../app/focus";
import { askKey } from "../app/key";
import { behind } from "../app/live";
import { copyShared, keepMine, saveCopy, sortTheSame, takeTheirs, visit } from "../app/lists";
import { afterPaint } from "../app/paint";
import { after } from "../app/slide";
import { isDense, readOnly, shownList, small, type State } from "../app/state";
import { changeSettings, store, useApp } from "../app/store";
import { whole } from "../app/tray";
import { AddTier, Board } from "./board";
import { Dialogs } from "./dialogs";
import { Dock } from "./dock";
import { First } from "./first";
import { Footer } from "./footer";
import { dark, Header } from "./header";
import { Learning } from "./learning";
import { ListMenu } from "./listmenu";
import { TasteMapPanel } from "./map";
import { nothingLeft, TryNext } from "./next";
import { Operator } from "./operator";
import { part } from "./part";
import { Record } from "./record";
import { Together } from "./together";
import { TierStrip } from "./strip";
import { Tray } from "./tray";
import { WhyCard } from "./whycard";

export function App(): JSX.Element {
  const s = useApp();
  const last = useRef(s);
  if (!s.boardFirst) last.current = s;
  const rest = last.current; // as it was before a drop, while that is drawn on the board
  useLayoutEffect(() => {
    after();
    if (!s.boardFirst) roveSoon(); // after a drop it is drawn once more
  });
  useEffect(() => {
    if (s.theme) document.documentElement.dataset.theme = s.theme;
    document.querySelector("meta[name=color-scheme]")?.setAttribute("content", dark(s) ? "dark" : "light");
  }, [s.theme, s.systemDark]);
  const fetching = (!s.loaded || (!s.complete && s.total <= whole)) && (s.net === "first" || s.net === "ok" || s.net === "updating");
  useLayoutEffect(() => {
    const looks = { worded: s.worded, postered: s.posters, dense: isDense(s), fetching };
    for (const [name, on] of Object.entries(looks)) document.documentElement.classList.toggle(name, on);
  }, [s.worded, s.posters, isDense(s), fetching]);
  const together = s.route.page === "together";
  const board = s.route.page !== "learning" && !together;
  const title = together ? "Together" : board ? shownList(s).title : s.route.page === "learning" && s.route.operator ? "For whoever runs it" : "What the model learned";
  useEffect(() => {
    document.title = `${title} · fubini`;
  }, [title]);
  const sorting = board && !(s.first && !readOnly(s));
  return (
    <Fragment>
      {sorting ? <a class="skip" href="#board" onClick={skipTo(".board [data-stop]", "main")}>Skip to the board</a> : <a class="skip" href="#main" onClick={skipTo("main")}>Skip to the page</a>}
      {sorting && !readOnly(s) && <a class="skip" href="#next" onClick={skipTo("#next [data-stop]", "#next")}>Skip to the recommendations</a>}
      <Header s={rest} />
      {together ? <Together s={s} /> : board && s.first && !readOnly(s) ? <First s={s} /> : board ? <BoardPage s={s} rest={rest} /> : s.route.page === "learning" && s.route.operator ? <Operator s={s} /> : <Learning s={s} />}
      {s.held?.by === "pointer" && board && (small(s) || boardIsLong()) && <TierStrip s={s} />}
      {s.toast && <Toast s={s} />}
      <WhyCard s={s} />
      <Dialogs s={s} />
      <svg class="unseen" aria-hidden="true" width="0" height="0">
        <defs>
          <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatchLine" width="2" height="4" /></pattern>
        </defs>
      </svg>
    </Fragment>
  );
}

/** boardIsLong says that some of its tiers are out of sight. */
const boardIsLong = (): boolean => {
  const box = document.querySelector(".board")?.getBoundingClientRect();
  return box !== undefined && box.height > innerHeight - 56;
};

const skipTo = (...where: string[]) => (event: Event): void => {
  event.preventDefault();
  const { dock } = store.state;
  if (small(store.state) && where.includes("#next")) store.set({ dock: { ...dock, tab: "next", open: true } });
  afterPaint(() => {
    const to = where.map((each) => document.querySelector<HTMLElement>(each)).find((each) => each !== null);
    if (to?.matches("main")) to.tabIndex = -1;
    to?.focus();
  });
};

function Toast({ s }: { s: State }): JSX.Element {
  return (
    <div class="toast">
      <span dir="auto">{s.toast!.text}</span>
      {s.toast!.undo && (
        <button
          type="button"
          class="link"
          onClick={() => {
            const back = s.toast!.undo;
            store.set({ toast: null });
            if (typeof back === "function") back();
            else undo();
          }}
        >
          Undo
        </button>
      )}
    </div>
  );
}

function BoardPage({ s, rest }: { s: State; rest: State }): JSX.Element {
  const phone = small(s);
  if (s.missing) return <MissingList />;
  if (readOnly(s) && !s.visit)
    return (
      <main class="message" id="main">
        <h1>{s.net === "offline" || s.net === "error" ? "Couldn't update. This list cannot be fetched right now." : "Opening the list…"}</h1>
        {(s.net === "offline" || s.net === "error") && <button type="button" class="filled" onClick={() => s.route.page === "list" && void visit(s.route.id)}>Retry</button>}
      </main>
    );
  const list = shownList(s);
  return (
    <main class={`page${readOnly(s) ? " visiting" : ""}${behind(s) ? " behind" : ""}`} id="board" data-behind={s.boardFirst || undefined}>
      <div class="left">
        <Conflict s={s} />
        <Title s={s} />
        {!phone && (
          <div class="heads caption" aria-hidden="true">
            <span>Best</span>
            <span>You put</span>
            {(!readOnly(s) || s.visit?.guesses) && <span class={behind(s) ? "bad" : "pencil"}>{behind(s) ? "From before your change" : "We'd pencil in"}</span>}
          </div>
        )}
        {!phone && !readOnly(s) && <button type="button" class="link caption guessSwitch" aria-pressed={!s.guesses} onClick={() => changeSettings({ guesses: !s.guesses })}>{s.guesses ? "Hide guesses" : "Show guesses"}</button>}
        <div class={`boardPanel${readOnly(s) && !s.visit?.guesses ? " alone" : ""}`}>
          <Board s={s} />
          {!readOnly(s) && <AddTier s={s} />}
        </div>
        {phone && placedCount(list) === 0 && !readOnly(s) && <p class="importLine"><button type="button" class="link" onClick={pickFile}>Import a list</button></p>}
        {!phone && !readOnly(s) && <Tray s={rest} />}
      </div>
      {!phone && !readOnly(s) && (
        <aside class="side" aria-label="What we say">
          <TryNext s={s} />
          <Record s={rest} />
          <TasteMapPanel s={rest} tall={nothingLeft(rest)} />
        </aside>
      )}
      {phone && !readOnly(s) && <Dock s={s} rest={rest} />}
      {!phone && <Footer model={s.model} />}
    </main>
  );
}

const Title = part(function Title({ s }: { s: State }): JSX.Element | null {
  const list = shownList(s);
  const input = useRef<HTMLInputElement>(null);
  const editing = s.renaming === "title";
  const phone = small(s);
  useEffect(() => {
    if (editing) {
      input.current?.focus();
      input.current?.select();
    }
  }, [editing]);
  const done = (): void => {
    const title = cut(input.current?.value.trim() ?? "", longestTitle);
    store.set({ renaming: "" });
    if (title) act({ kind: "title", title });
  };
  const placed = placedCount(list);
  const used = list.tiers.filter((tier) => tier.items.length > 0).length;
  if (editing)
    return (
      <form
        class="title"
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <input ref={input} class="titleInput" value={list.title} maxLength={longestTitle} aria-label="Title of the list" dir="auto" onBlur={done} onKeyDown={(event) => event.key === "Escape" && store.set({ renaming: "" })} />
      </form>
    );
  if (phone && !readOnly(s)) return null;
  return (
    <div class="title">
      <h1>{readOnly(s) ? list.title : <button type="button" class="bare" dir="auto" title="Rename" aria-label={`${list.title}, rename`} onClick={() => store.set({ renaming: "title" })}>{list.title}</button>}</h1>
      {!readOnly(s) && <ListMenu s={s} />}
      {readOnly(s) ? (
        <Fragment>
          <p class="caption">Shared with you, to look at.{s.net === "locked" && <Fragment> Names and guesses need an API key of this server. <button type="button" class="link" onClick={() => askKey()}>Enter the key</button></Fragment>}{s.model?.facts.synthetic && phone ? ` ${demoLabel}.` : ""}</p>
          <button type="button" class="filled copy" onClick={() => copyShared(list)}>Make my own copy</button>
          {s.route.page === "list" && <a class="outlined" href={`#/together/${s.route.id}`}>Compare with mine</a>}
          <button type="button" class="outlined" onClick={() => sortTheSame(list)}>Sort the same items</button>
        </Fragment>
      ) : (
        <p class="caption">
          {placed === 0 ? "Nothing placed yet. " : `${withCommas(placed)} placed in ${count(used, "tier")}. Order inside a tier doesn't count.`}
          {placed === 0 && <button type="button" class="link" onClick={pickFile}>Import a list</button>}
        </p>
      )}
      {!readOnly(s) && s.width === "wide" && <Density s={s} />}
    </div>
  );
});

/** Density is a switch between large tiles and small ones. */
function Density({ s }: { s: State }): JSX.Element {
  const set = (dense: boolean) => (): void => changeSettings({ dense });
  return (
    <span class="density" role="group" aria-label="Size of tiles">
      <button type="button" aria-pressed={!isDense(s)} onClick={set(false)}>Roomy</button>
      <button type="button" aria-pressed={isDense(s)} onClick={set(true)}>Dense</button>
    </span>
  );
}

function Conflict({ s }: { s: State }): JSX.Element | null {
  if (!s.conflict) return null;
  const take = (): void => void takeTheirs((list) => act({ kind: "replace", list, why: "Their list taken" }));
  return (
    <div class="conflict" role="alert">
      <b>Changed in another tab</b>
      <span>Both versions are safe. Which one goes on here?</span>
      <button type="button" onClick={keepMine}>Keep mine</button>
      <button type="button" onClick={take}>Take theirs</button>
      <button type="button" onClick={saveCopy}>Save as copy</button>
    </div>
  );
}

function MissingList(): JSX.Element {
  return (
    <main class="message" id="main">
      <h1>This list doesn't exist, or its owner removed it.</h1>
      <p><a class="filled button" href="#/">Start your own</a></p>
    </main>
  );
}
