// The page of a fit as a whole: header, title, the strip of facts, and one of three views.
import { Fragment, h, type JSX } from "preact";
import { useEffect } from "preact/hooks";
import { titleOf, type Report } from "../logic/board";
import { writeCSV } from "../logic/csv";
import { save } from "../app/download";
import { useStore } from "../app/usestore";
import { Footer } from "../view/footer";
import { Icon, Mark } from "../view/icons";
import { KeyDialog } from "../view/keydialog";
import { Menu } from "../view/menu";
import { Head, Sheet } from "../view/sheet";
import { BoardPanel } from "./board";
import { FitView } from "./fit";
import { forgetKey, keyed, load, unlock } from "./load";
import { PairsView } from "./matrix";
import { Influences, OnePair, PairBar, Raters } from "./side";
import { changeSettings, percent, store, toast, warning, type Shown, type View } from "./state";

const dark = (s: Shown): boolean => (s.theme ? s.theme === "dark" : s.systemDark);

export function Votes(): JSX.Element {
  const s = useStore(store);
  const title = titleOf(s.report?.source);
  useEffect(() => {
    if (s.theme) document.documentElement.dataset.theme = s.theme;
    document.querySelector("meta[name=color-scheme]")?.setAttribute("content", dark(s) ? "dark" : "light");
  }, [s.theme, s.systemDark]);
  useEffect(() => {
    document.title = `${title} · fubini`;
  }, [title]);
  return (
    <Fragment>
      <a class="skip" href="#main" onClick={skip}>Skip to the {s.view === "board" ? "board" : s.view}</a>
      <Header s={s} />
      <main class="votes" id="main" tabIndex={-1} aria-busy={s.net === "first" || s.net === "updating"}>
        {s.report ? (
          <Fragment>
            <div class="voteTitle">
              <h1 dir="auto">{title}</h1>
              <p class="caption">Two items stand in one tier if {percent(s.report.level)} certainty cannot tell them apart.</p>
            </div>
            <Strip s={s} report={s.report} />
            {s.view === "fit" ? (
              <FitView s={s} report={s.report} />
            ) : (
              <div class="voteGrid">
                {s.view === "board" ? <BoardPanel s={s} report={s.report} /> : <PairsView s={s} report={s.report} />}
                {s.width !== "wide" && <PairBar s={s} />}
                <aside class="voteSide" aria-label="About the board">
                  <OnePair s={s} report={s.report} />
                  {s.view === "board" && <Raters s={s} report={s.report} />}
                  {s.view === "board" && <Influences report={s.report} />}
                </aside>
              </div>
            )}
          </Fragment>
        ) : (
          <Waiting s={s} />
        )}
        <Footer model={s.model} />
      </main>
      {s.toast && <div class="toast"><span>{s.toast}</span></div>}
      {s.dialog === "keys" && <Keys s={s} />}
      {s.dialog === "key" && <KeyDialog refused={s.refused} unlock={unlock} close={closeDialog} />}
    </Fragment>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(".votes [data-stop][tabindex='0'], .votes [data-stop], #main")?.focus();
}

function Waiting({ s }: { s: Shown }): JSX.Element {
  const words = { first: "Asking the server…", ok: "", updating: "", error: "The server does not answer.", none: "This server has no votes: its model was not made by fubini fit.", locked: "This server asks for an API key." }[s.net];
  return (
    <div class="message">
      <h1>{words}</h1>
      {s.net === "error" && <button type="button" class="filled" onClick={load}>Retry</button>}
      {s.net === "locked" && <button type="button" class="filled" onClick={() => store.set({ dialog: "key" })}>Enter the key</button>}
      {s.net === "none" && <p><a class="filled button" href="/">To the page of lists</a></p>}
    </div>
  );
}

const tabs: [View, string, string][] = [["board", "#/", "Board"], ["pairs", "#/pairs", "Pairs"], ["fit", "#/fit", "Fit"]];

function Header({ s }: { s: Shown }): JSX.Element {
  const phone = s.width === "phone";
  const run = (what: () => void) => (): void => {
    store.set({ menu: false });
    what();
    document.querySelector<HTMLElement>(".fileBox > button")?.focus();
  };
  const flip = (): void => changeSettings({ theme: dark(s) ? "light" : "dark" });
  const theme = dark(s) ? "Light theme" : "Dark theme";
  return (
    <header class="top">
      <a class="brand" href="#/" aria-label="fubini, board"><Mark />{!phone && <span>fubini</span>}</a>
      <nav aria-label="Pages">{tabs.map(([view, href, name]) => <a key={view} href={href} aria-current={s.view === view ? "page" : undefined}>{name}</a>)}</nav>
      {!phone && <span class="demo">Votes, not tiers</span>}
      <span class="spring" />
      {s.width === "wide" && s.report?.source && <span class="saved">Fitted from {s.report.source}</span>}
      {!phone && <FileMenu s={s} run={run} />}
      <button type="button" class={phone ? "iconButton" : "filled share"} aria-label="Share" onClick={() => void copyLink()}><Icon name="share" />{!phone && " Share"}</button>
      {phone ? (
        <FileMenu s={s} run={run} more={<Fragment><hr /><button type="button" onClick={run(flip)}>{theme}</button><button type="button" onClick={run(() => store.set({ dialog: "keys" }))}>Keys and help</button></Fragment>} />
      ) : (
        <Fragment>
          <button type="button" class="iconButton" aria-label="Keys and help" title="Keys and help (?)" onClick={() => store.set({ dialog: "keys" })}><Icon name="help" /></button>
          <button type="button" class="iconButton" aria-label={theme} title={theme} onClick={flip}><Icon name={dark(s) ? "sun" : "moon"} /></button>
        </Fragment>
      )}
    </header>
  );
}

function FileMenu({ s, run, more }: { s: Shown; run: (what: () => void) => () => void; more?: JSX.Element }): JSX.Element {
  const small = s.width === "phone";
  return (
    <Menu label="File" small={small} open={s.menu} toggle={() => store.set({ menu: !s.menu })} close={() => store.set({ menu: false })} face={small ? <Icon name="more" /> : <Fragment>File <Icon name="down" /></Fragment>}>
      <button type="button" disabled={!s.report} onClick={run(() => saveCSV(s.report!))}>Download as CSV</button>
      <button type="button" disabled={!s.report} onClick={run(() => save(fileName(s.report!, "json"), new Blob([`${JSON.stringify(s.report, null, 2)}\n`], { type: "application/json" })))}>Download as JSON</button>
      {more}
      {keyed() && <button type="button" onClick={run(forgetKey)}>Forget the key</button>}
    </Menu>
  );
}

const fileName = (report: Report, ending: string): string => `${(report.source ?? "votes").replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "") || "votes"}-board.${ending}`;

/** saveCSV has the columns of `fubini fit --format csv`. */
function saveCSV(report: Report): void {
  const ties = report.items.some((item) => item.tie !== undefined);
  const head = ["item", "name", "worth", "std_err", "low", "high", "quasi", "rank", "rank_low", "rank_high", "tier", ...(ties ? ["tie", "tie_std_err"] : [])];
  const rows = report.items.map((item) => head.map((column) => item[column as keyof typeof item] ?? ""));
  save(fileName(report, "csv"), new Blob([writeCSV([head, ...rows])], { type: "text/csv" }));
}

/** copyLink: the address has what is shown, and the server has the rest. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast("Link copied.");
  } catch {
    toast(`Copy the link from the address bar: ${location.href}`);
  }
}

function closeDialog(): void {
  store.set({ dialog: "" });
}

const keyTable: [string, [string, string][]][] = [
  ["Anywhere", [["/", "find"], ["?", "this list"]]],
  ["A row of the board", [["↑ ↓", "row above, below"], ["Home End", "first, last"], ["Enter", "mark A, then B"], ["Shift Enter", "swap A and B"]]],
  ["The field Find", [["Enter", "next that is found"], ["Esc", "empty it"]]],
  ["A cell of the matrix", [["↑ ↓ ← →", "cell beside"], ["Enter", "this pair as A and B"]]],
];

function Keys({ s }: { s: Shown }): JSX.Element {
  return (
    <Sheet label="Keys" close={closeDialog} wide>
      <Head title="Keys" close={closeDialog} />
      <div class="keys">
        {keyTable.map(([where, rows]) => (
          <section key={where}>
            <h3 class="caption">{where}</h3>
            <dl>{rows.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
          </section>
        ))}
      </div>
      <label class="check"><input type="checkbox" checked={s.letters} onChange={(event) => changeSettings({ letters: event.currentTarget.checked })} /> Single-letter keys: / ?</label>
    </Sheet>
  );
}

const tieForms: Record<string, string> = { common: "one for all", item: "one an item", distance: "by distance" };

/** Strip is the facts of the fit; a warning takes its place. */
function Strip({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const wrong = warning(s);
  if (wrong) return <p class="panel voteWarning" role="alert">{wrong}</p>;
  const whole = (n: number): string => n.toLocaleString("en-GB", { maximumFractionDigits: 1 });
  const share = (p: number): string => `${(100 * p).toFixed(1)}%`;
  const pairsOnly = Math.abs(report.tied / report.weight - report.ties_observed) < 1e-6;
  const facts: [string, string][] = [
    [whole(report.weight), "votes"],
    [whole(report.items.length), report.prior && !s.pairs ? "items" : "items, all connected"],
    [whole(report.tied), `${pairsOnly ? "ties," : "votes with ties;"} ${share(report.ties_observed)}${pairsOnly ? "" : " of pairs"} (fit says ${share(report.ties_expected)})`],
    [(report.mean_nll ?? report.slot_nll ?? 0).toFixed(4), report.mean_nll === null ? "mean negative slot log likelihood" : `mean negative log likelihood${report.mean_nll_std_err ? `, ±${report.mean_nll_std_err.toFixed(4)}` : ""}`],
    [report.space === "orders" ? "none" : (tieForms[report.ties] ?? report.ties), "tie weights"],
    [whole(report.parameters), "parameters"],
  ];
  return <dl class="panel voteFacts">{facts.map(([value, name]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

