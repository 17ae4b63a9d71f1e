// Dialogs: share, import, picture, hidden items, keys of the keyboard. The API key has a file of its own.
import { Fragment, h, type JSX } from "preact";
import { useState } from "preact/hooks";
import { plain, titleOf } from "../logic/names";
import { act } from "../app/acts";
import { say } from "../app/announce";
import { Failure } from "../app/api";
import { importText, learn, takeImport, withChoices } from "../app/files";
import { askKey } from "../app/key";
import { closeDialog } from "../app/keys";
import { includeGuesses, startSharing, stopSharing } from "../app/lists";
import { exportPNG } from "../app/picture";
import { unlock } from "../app/start";
import type { Dialog, State } from "../app/state";
import { changeSettings, store } from "../app/store";
import { KeyDialog } from "./keydialog";
import { Thumb } from "./poster";
import { OwnDialog } from "./owndialog";
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
    case "own":
      return <OwnDialog s={s} />;
    case "paste":
      return <PasteDialog />;
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
  const link = s.share ? `${location.origin}/list/${s.share.id}` : "";
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

/** Names lists names, the first fifty of them. */
function Names({ label, names }: { label: string; names: string[] }): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <Fragment>
      <h3 class="caption">{label}</h3>
      <ul class="missing" aria-label={label}>{names.slice(0, 50).map((name, i) => <li key={i} dir="auto">{name}</li>)}{names.length > 50 && <li>and {names.length - 50} more</li>}</ul>
    </Fragment>
  );
}

function ImportDialog({ d }: { d: Dialog & { kind: "import" } }): JSX.Element {
  const [chosen, setChosen] = useState<string[]>([]);
  const known = withChoices(d.known, d.choices, chosen);
  const nothing = known.tiers.every((tier) => tier.items.length === 0) && known.hidden.length + known.never.length === 0;
  const counts = [`${d.count} read`, `${d.found} known${d.guessed.length > 0 ? ` (${d.guessed.length} guessed)` : ""}`, `${d.missing.length} not in this catalogue`];
  if (d.choices.length > 0) counts.push(`${d.choices.length} to choose`);
  if (d.skippedCount > 0) counts.push(`${d.skippedCount} skipped`);
  return (
    <Sheet label="Import a list" close={closeDialog}>
      <Head close={closeDialog} title="Import a list" />
      <p class="bodyText" dir="auto"><b>{d.name}</b></p>
      <p class="bodyText counts">{counts.join(", ")}</p>
      {d.choices.length > 0 && (
        <Fragment>
          <h3 class="caption">Which one is meant?</h3>
          <ul class="choices">
            {d.choices.map((choice, i) => (
              <li key={i}>
                <label><span dir="auto">{choice.text}</span>{" "}
                  <select
                    value={chosen[i] ?? ""}
                    onChange={(event) => {
                      const item = event.currentTarget.value;
                      learn(choice.items.find((one) => one.item === item));
                      setChosen(Object.assign([...chosen], { [i]: item }));
                    }}
                  >
                    <option value="">leave it out</option>
                    {choice.items.map((item) => <option key={item.item} value={item.item}>{item.name}</option>)}
                  </select>
                </label>
              </li>
            ))}
          </ul>
        </Fragment>
      )}
      <Names label="Guessed by their names" names={d.guessed.map((one) => `${one.text} is ${one.name}`)} />
      <Names label="Not in this catalogue" names={d.missing} />
      <Names label="Skipped" names={d.skipped.map((one) => `${one.line > 0 ? `${one.line}: ` : ""}${one.text} (${one.why})`)} />
      <ul class="preview">
        {known.tiers.map((tier) => (
          <li key={tier.id}><span class={`letter fill-${tier.colour}`} /> <b dir="auto">{tier.name}</b> <span class="caption">{tier.items.slice(0, 6).map((item) => plain(store.state.items.get(item)?.name ?? item)).join(", ")}{tier.items.length > 6 ? ` and ${tier.items.length - 6} more` : ""}{tier.items.length === 0 ? "none" : ""}</span></li>
        ))}
        {known.hidden.length > 0 && <li><b>Hidden</b> <span class="caption">{known.hidden.length} seen or hidden: not recommended</span></li>}
      </ul>
      <div class="actions">
        <button type="button" class="filled" disabled={nothing} onClick={() => takeImport(known, "replace")}>Replace</button>
        <button type="button" disabled={nothing} onClick={() => takeImport(known, "merge")}>Merge</button>
        <button type="button" class="far" onClick={closeDialog}>Cancel</button>
      </div>
    </Sheet>
  );
}

function PasteDialog(): JSX.Element {
  const [text, setText] = useState("");
  return (
    <Sheet label="Paste a list" close={closeDialog}>
      <Head close={closeDialog} title="Paste a list" />
      <p class="bodyText">Names, one a line, the best first; tiers like “S: first, second”; or names with ratings, like “first 9/10”.</p>
      <textarea class="pasted" data-first="" aria-label="List" rows={10} dir="auto" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <div class="actions">
        <button type="button" class="filled" disabled={text.trim() === ""} onClick={() => void importText(text)}>Read</button>
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
  const rows = (title: string, ids: string[], word: string, kind = ""): JSX.Element | null =>
    ids.length === 0 ? null : (
      <Fragment>
        <h3 class="caption">{title}</h3>
        <ul class="rows">
          {ids.map((item) => (
            <li key={item}><Thumb item={s.items.get(item)} /> <span dir="auto">{titleOf(s.items.get(item), item).title}</span> <button type="button" onClick={() => act({ kind: "want" === kind ? "unwant" : "unhide", item })}>{word}</button></li>
          ))}
        </ul>
      </Fragment>
    );
  return (
    <Sheet label="Set aside" close={closeDialog}>
      <Head close={closeDialog} title="Set aside" />
      {rows("Want to try", s.list.want ?? [], "Take off", "want")}
      {rows("Hidden: not recommended", s.list.hidden, "Show again")}
      {rows("Never tried: still recommended", s.list.never, "Back to the tray")}
      {s.list.hidden.length + s.list.never.length + (s.list.want?.length ?? 0) === 0 && <p class="bodyText">Nothing is set aside.</p>}
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
