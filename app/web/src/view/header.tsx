// The header: pages, the demo label, quiet tools, and Share, the only filled button.
import { Fragment, h, type JSX } from "preact";
import { act, redo, undo } from "../app/acts";
import { opened } from "../app/focus";
import { exportCSV, exportJSON, pickFile } from "../app/files";
import { back } from "../app/focus";
import { askKey, forgetKey } from "../app/key";
import { saidWords } from "../logic/record";
import { demoLabel } from "../logic/words";
import { readOnly, small, type State } from "../app/state";
import { changeSettings, store } from "../app/store";
import { Icon, Mark } from "./icons";
import { ListMenu } from "./listmenu";
import { Menu } from "./menu";
import { part } from "./part";

const saveWords: Record<State["save"], string> = { device: "Saved on this device", saving: "Saving…", link: "Saved with a link", not: "Not saved" };

export const dark = (s: State): boolean => (s.theme ? s.theme === "dark" : s.systemDark);

export const Header = part(function Header({ s }: { s: State }): JSX.Element {
  const together = s.route.page === "together";
  const learning = s.route.page === "learning" || together;
  const phone = small(s);
  const editing = !learning && !readOnly(s);
  return (
    <header class="top">
      <a class="brand" href="#/" aria-label="fubini, board"><Mark />{!(phone && !learning) && <span>fubini</span>}</a>
      {phone && editing && <PhoneTitle s={s} />}
      {phone && editing && <ListMenu s={s} />}
      {(!phone || learning || readOnly(s)) && (
        <nav aria-label="Pages">
          <a href="#/" aria-current={learning ? undefined : "page"}>Board</a>
          <a href="#/together" aria-current={together ? "page" : undefined}>Together</a>
          <a href="#/learning" aria-current={learning && !together ? "page" : undefined}>Learning</a>
        </nav>
      )}
      {!phone && s.model && <WorldLabel s={s} />}
      <span class="spring" />
      {editing && (
        <Fragment>
          {!phone && <span class={`saved ${s.save}`}>{saveWords[s.save]}</span>}
          <button type="button" class="iconButton" aria-label="Undo" title="Undo (Ctrl Z)" disabled={s.history.past.length === 0} onClick={undo}><Icon name="undo" /></button>
          {!phone && <button type="button" class="iconButton" aria-label="Redo" title="Redo (Ctrl Shift Z)" disabled={s.history.future.length === 0} onClick={redo}><Icon name="redo" /></button>}
          {!phone && <FileMenu s={s} />}
          <button
            type="button"
            class={phone ? "iconButton" : "filled share"}
            aria-label="Share"
            onClick={() => {
              opened();
              store.set({ dialog: { kind: "share" } });
            }}
          >
            <Icon name="share" />{!phone && " Share"}
          </button>
          {phone && <FileMenu s={s} />}
        </Fragment>
      )}
      {(!phone || !editing) && <Tools s={s} />}
    </header>
  );
});

/** WorldLabel says what is sorted here, and that people are made up where they are. */
function WorldLabel({ s }: { s: State }): JSX.Element | null {
  const { synthetic, title } = s.model!.facts;
  if (synthetic) return <span class="demo">{demoLabel}</span>;
  const [kind, source] = title?.includes(": ") ? title.split(": ", 2) : ["", title ?? ""];
  return source ? <span class="demo">{kind && <span class="kind">{kind}: </span>}{source}{s.total > 0 && <span class="kind total"> · {s.total.toLocaleString("en-GB")} in all</span>}</span> : null;
}

function Tools({ s }: { s: State }): JSX.Element {
  return (
    <Fragment>
      <button
        type="button"
        class="iconButton"
        aria-label="Keys and help"
        title="Keys and help (?)"
        onClick={() => {
          opened();
          store.set({ dialog: { kind: "keys" } });
        }}
      >
        <Icon name="help" />
      </button>
      <button type="button" class="iconButton" aria-label={dark(s) ? "Light theme" : "Dark theme"} title={dark(s) ? "Light theme" : "Dark theme"} onClick={flipTheme}><Icon name={dark(s) ? "sun" : "moon"} /></button>
    </Fragment>
  );
}

function flipTheme(): void {
  changeSettings({ theme: dark(store.state) ? "light" : "dark" });
}

function PhoneTitle({ s }: { s: State }): JSX.Element {
  return (
    <div class="phoneTitle">
      <h1><button type="button" class="bare" dir="auto" aria-label={`${s.list.title}, rename`} onClick={() => store.set({ renaming: "title" })}>{s.list.title}</button></h1>
      {s.width === "flat" && s.said ? <p class="just">{saidWords(s.said)}</p> : <p>{s.model?.facts.synthetic ? demoLabel : saveWords[s.save]}</p>}
    </div>
  );
}

function FileMenu({ s }: { s: State }): JSX.Element {
  const phone = small(s);
  const run = (what: () => void) => (): void => {
    store.set({ fileMenu: false });
    what();
    if (!store.state.dialog) back();
  };
  const toggle = (): void => {
    opened();
    store.set({ fileMenu: !s.fileMenu });
  };
  return (
    <Menu label="File" small={phone} open={s.fileMenu} toggle={toggle} close={() => store.set({ fileMenu: false })} face={phone ? <Icon name="more" /> : <Fragment>File <Icon name="down" /></Fragment>}>
      {phone && <p class="caption demoLine">{saveWords[s.save]}</p>}
      {phone && <a href="#/together" onClick={() => store.set({ fileMenu: false })}>Together</a>}
      {phone && <a href="#/learning" onClick={() => store.set({ fileMenu: false })}>Learning</a>}
      {phone && <button type="button" disabled={s.history.future.length === 0} onClick={run(redo)}>Redo</button>}
      <button type="button" onClick={run(pickFile)}>Import a list…</button>
      <button type="button" onClick={run(() => store.set({ dialog: { kind: "paste" } }))}>Paste a list…</button>
      <button type="button" onClick={run(() => store.set({ dialog: { kind: "own" } }))}>Add an item of your own…</button>
      <button type="button" onClick={run(() => store.set({ dialog: { kind: "png" } }))}>Export as picture…</button>
      <button type="button" onClick={run(exportJSON)}>Export as JSON</button>
      <button type="button" onClick={run(exportCSV)}>Export as CSV</button>
      <hr />
      <button type="button" disabled={s.list.hidden.length + s.list.never.length + (s.list.want?.length ?? 0) === 0} onClick={run(() => store.set({ dialog: { kind: "hidden" } }))}>Want to try, hidden items…</button>
      {phone && <button type="button" onClick={run(() => changeSettings({ guesses: !s.guesses }))}>{s.guesses ? "Hide guesses" : "Show guesses"}</button>}
      {phone && <button type="button" onClick={run(flipTheme)}>{dark(s) ? "Light theme" : "Dark theme"}</button>}
      {phone && <button type="button" onClick={run(() => store.set({ dialog: { kind: "keys" } }))}>Keys and help</button>}
      {s.net === "locked" && <button type="button" onClick={run(askKey)}>Enter the API key…</button>}
      {s.keyed && <button type="button" onClick={run(forgetKey)}>Forget the key</button>}
      <button type="button" class="danger" onClick={run(() => act({ kind: "clear" }))}>Clear the list</button>
    </Menu>
  );
}
