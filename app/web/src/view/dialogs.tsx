// Dialogs: share, import, picture, hidden items, keys of the keyboard. The API key has a file of its own.
import { Fragment, h, type JSX } from "preact";
import { useState } from "preact/hooks";
import { plain } from "../logic/names";
import { act } from "../app/acts";
import { say } from "../app/announce";
import { Failure } from "../app/api";
import { takeImport } from "../app/files";
import { askKey } from "../app/key";
import { closeDialog } from "../app/keys";
import { includeGuesses, startSharing, stopSharing } from "../app/lists";
import { exportPNG } from "../app/picture";
import { unlock } from "../app/start";
import type { Dialog, State } from "../app/state";
import { changeSettings, nameOf } from "../app/store";
import { KeyDialog } from "./keydialog";
import { Picker } from "./picker";
import { Head, Sheet } from "./sheet";

export function Dialogs({ s }: { s: State }): JSX.Element | null {
  const d = s.dialog;
  switch (d?.kind) {
    case "picker":
      return <Picker s={s} dialog={d} />;
    case "share":
      return <ShareDialog s={s} />;
    case "import":
      return <ImportDialog d={d} />;
    case "importError":
      return (
        <Sheet label="This file cannot be read" close={closeDialog}>
          <Head close={closeDialog} title="This file cannot be read" />
          <p class="bodyText" dir="auto">{d.message}.</p>
          <p class="caption bodyText">Nothing was changed.</p>
          <div class="actions"><button type="button" class="filled" onClick={closeDialog}>Close</button></div>
        </Sheet>
      );
    case "png":
      return <PictureDialog />;
    case "hidden":
      return <HiddenDialog s={s} />;
    case "keys":
      return <KeysDialog s={s} />;
    case "key":
      return <KeyDialog refused={d.refused} unlock={unlock} close={closeDialog} />;
    default:
      return null;
  }
}

function ShareDialog({ s }: { s: State }): JSX.Element {
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const link = s.share ? `${location.origin}${location.pathname}#/list/${s.share.id}` : "";
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailed("");
    await what().catch((error: unknown) => {
      const status = error instanceof Failure ? error.status : 0;
      if (status === 401) askKey();
      else setFailed(status === 403 && s.keyed ? "This API key may not save lists here. Your list is safe on this device." : "That did not work. Your list is safe on this device; try again in a moment.");
    });
    setBusy(false);
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      const field = document.querySelector<HTMLInputElement>("#share-link");
      field?.select();
      document.execCommand("copy");
    }
    say("Link copied.");
    setFailed("Link copied.");
  };
  return (
    <Sheet label="Share" close={closeDialog}>
      <Head close={closeDialog} title="Share this list" />
      {s.share ? (
        <Fragment>
          <div class="linkRow">
            <input id="share-link" readOnly value={link} aria-label="Link" onFocus={(event) => event.currentTarget.select()} />
            <button type="button" class="filled" data-first="" onClick={() => void copy()}>Copy</button>
            {"share" in navigator && <button type="button" onClick={() => void navigator.share({ title: s.list.title, url: link }).catch(() => undefined)}>Send…</button>}
          </div>
          <p class="bodyText">Anyone with the link can look. Only this browser can change it.</p>
          <label class="check"><input type="checkbox" checked={s.share.guesses} disabled={busy} onChange={(event) => void attempt(() => includeGuesses(event.currentTarget.checked))} /> Include our guesses</label>
          <div class="actions"><button type="button" class="danger" disabled={busy} onClick={() => void attempt(stopSharing)}>Stop sharing</button></div>
        </Fragment>
      ) : (
        <Fragment>
          <p class="bodyText">We save the list on this server and give you a link. Anyone with the link can look. Only this browser can change it.</p>
          <div class="actions"><button type="button" class="filled" data-first="" disabled={busy} onClick={() => void attempt(startSharing)}>Make a link</button></div>
        </Fragment>
      )}
      {failed && <p class="caption bodyText" role="status">{failed}</p>}
    </Sheet>
  );
}

function ImportDialog({ d }: { d: Dialog & { kind: "import" } }): JSX.Element {
  const known = d.count - d.missing.length;
  return (
    <Sheet label="Import a list" close={closeDialog}>
      <Head close={closeDialog} title="Import a list" />
      <p class="bodyText" dir="auto"><b>{d.name}</b></p>
      <p class="bodyText counts">{d.count} read, {known} known, {d.missing.length} not in this catalogue</p>
      {d.missing.length > 0 && <ul class="missing" aria-label="Not in this catalogue">{d.missing.slice(0, 50).map((name, i) => <li key={i} dir="auto">{name}</li>)}{d.missing.length > 50 && <li>and {d.missing.length - 50} more</li>}</ul>}
      <ul class="preview">
        {d.known.tiers.map((tier) => (
          <li key={tier.id}><span class={`letter fill-${tier.colour}`} /> <b dir="auto">{tier.name}</b> <span class="caption">{tier.items.slice(0, 6).map((item) => plain(nameOf(item))).join(", ")}{tier.items.length > 6 ? ` and ${tier.items.length - 6} more` : ""}{tier.items.length === 0 ? "none" : ""}</span></li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="filled" disabled={known === 0} onClick={() => takeImport(d.known, "replace")}>Replace</button>
        <button type="button" disabled={known === 0} onClick={() => takeImport(d.known, "merge")}>Merge</button>
        <button type="button" class="far" onClick={closeDialog}>Cancel</button>
      </div>
    </Sheet>
  );
}

function PictureDialog(): JSX.Element {
  const [guesses, setGuesses] = useState(false);
  return (
    <Sheet label="Export as picture" close={closeDialog}>
      <Head close={closeDialog} title="Export as picture" />
      <p class="bodyText">A PNG, 1200 px wide at double density, with every item and name, in the theme you see.</p>
      <label class="check"><input type="checkbox" checked={guesses} onChange={(event) => setGuesses(event.currentTarget.checked)} /> Include our guesses, dashed</label>
      <div class="actions">
        <button
          type="button"
          class="filled"
          data-first=""
          onClick={() => {
            void exportPNG(guesses);
            closeDialog();
          }}
        >
          Save picture
        </button>
      </div>
    </Sheet>
  );
}

function HiddenDialog({ s }: { s: State }): JSX.Element {
  const rows = (title: string, ids: string[], word: string): JSX.Element | null =>
    ids.length === 0 ? null : (
      <Fragment>
        <h3 class="caption">{title}</h3>
        <ul class="rows">
          {ids.map((item) => (
            <li key={item}><span class="emoji" aria-hidden="true">{s.items.get(item)?.emoji}</span> <span dir="auto">{nameOf(item)}</span> <button type="button" onClick={() => act({ kind: "unhide", item })}>{word}</button></li>
          ))}
        </ul>
      </Fragment>
    );
  return (
    <Sheet label="Hidden items" close={closeDialog}>
      <Head close={closeDialog} title="Hidden items" />
      {rows("Hidden: not recommended", s.list.hidden, "Show again")}
      {rows("Never tried: still recommended", s.list.never, "Back to the tray")}
      {s.list.hidden.length + s.list.never.length === 0 && <p class="bodyText">Nothing is hidden.</p>}
    </Sheet>
  );
}

const keyTable: [string, [string, string][]][] = [
  ["Anywhere", [["/", "search"], ["?", "this list"], ["G", "guesses on or off"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["Ctrl S", "save"]]],
  ["Board, tray, Try next", [["← →", "previous, next"], ["↑ ↓", "row above, below"], ["Home End", "first, last"]]],
  ["An item", [["Space", "pick up"], ["Enter", "move to…"], ["1–9", "into tier n"], ["0 or Delete", "back to the tray"]]],
  ["A held item", [["↑ ↓", "next place"], ["← →", "position in the tier"], ["Space", "drop"], ["Esc", "put back"]]],
  ["A guess", [["Enter", "why"], ["Space", "pick up"], ["H", "hide"]]],
  ["A tier heading", [["Enter", "tier menu"], ["F2", "rename"], ["Alt ↑ ↓", "move the tier"]]],
];

function KeysDialog({ s }: { s: State }): JSX.Element {
  return (
    <Sheet label="Keys" close={closeDialog} wide>
      <Head close={closeDialog} title="Keys" />
      <div class="keys">
        {keyTable.map(([where, rows]) => (
          <section key={where}>
            <h3 class="caption">{where}</h3>
            <dl>{rows.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
          </section>
        ))}
      </div>
      <label class="check"><input type="checkbox" checked={s.letters} onChange={(event) => changeSettings({ letters: event.currentTarget.checked })} /> Single-letter keys: / ? G</label>
    </Sheet>
  );
}
