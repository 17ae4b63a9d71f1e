// The picker: one tap places an item, so that no drag is ever required.
import { Fragment, h, type JSX } from "preact";
import { tierOf } from "../logic/list";
import { plain, shortTier, tierLabel, titleOf } from "../logic/names";
import { overGap } from "../logic/words";
import { act, drop } from "../app/acts";
import { focusItem } from "../app/focus";
import { closeDialog } from "../app/keys";
import { small, type Dialog, type State, type Target } from "../app/state";
import { store } from "../app/store";
import { pinWhy } from "../app/why";
import { Icon } from "./icons";
import { Thumb } from "./poster";
import { Sheet } from "./sheet";

export function Picker({ s, dialog }: { s: State; dialog: Dialog & { kind: "picker" } }): JSX.Element {
  const { item, blind, gaps } = dialog;
  const known = s.items.get(item);
  const name = plain(titleOf(known, item).title);
  const now = tierOf(s.list, item);
  const put = (target: Target): void => {
    closeDialog();
    drop(item, target, blind);
    if (!small(s)) focusItem(item);
  };
  return (
    <Sheet label={`Where does ${name} go?`} close={closeDialog}>
      <header class="sheetHead">
        {known?.emoji ? <span class="emoji large" aria-hidden="true">{known.emoji}</span> : <Thumb item={known} />}
        <div>
          <h2 dir="auto">Where does {name} go?</h2>
          <p>{now >= 0 ? `Now in ${shortTier(s.list.tiers[now].name)}.` : blind ? "Ours stays hidden until you choose." : "You have seen our guess: this one does not count for our record."}</p>
        </div>
        <button type="button" class="iconButton" aria-label="Close" onClick={closeDialog}><Icon name="close" /></button>
      </header>
      <div class="choices">
        {gaps
          ? Array.from({ length: s.list.tiers.length + 1 }, (_, before) => (
              <button key={before} type="button" class="choice plain" data-first={before === 0 ? "" : undefined} onClick={() => put({ kind: "gap", before })}>
                {overGap(s.list, before).replace(/\.$/, "")}
              </button>
            ))
          : s.list.tiers.map((tier, row) => (
              <button key={tier.id} type="button" class="choice" data-first={row === 0 ? "" : undefined} disabled={row === now} onClick={() => put({ kind: "tier", tier: row, at: Infinity })}>
                <span class={`letter fill-${tier.colour}`}>{shortTier(tier.name)}</span>{" "}
                <span class="rest" dir="auto">{tierLabel(tier.name).rest}</span>{" "}
                <span class="caption">{row === now ? "now here" : `${tier.items.length} here`}</span>
              </button>
            ))}
      </div>
      <div class="actions even">
        <button type="button" onClick={() => store.set({ dialog: { ...dialog, gaps: !gaps } })}>{gaps ? "Back to tiers" : "New tier between…"}</button>
        {now >= 0 ? (
          <Fragment>
            <button type="button" onClick={(event) => pinWhy(item, event.currentTarget)}>What we would say</button>
            <button
              type="button"
              onClick={() => {
                closeDialog();
                act({ kind: "tray", item });
              }}
            >
              Back to the tray
            </button>
          </Fragment>
        ) : (
          <Fragment>
            <button
              type="button"
              onClick={() => {
                closeDialog();
                act({ kind: "never", item });
              }}
            >
              Never tried it
            </button>
            <button
              type="button"
              onClick={() => {
                closeDialog();
                act({ kind: "hide", item });
              }}
            >
              Hide
            </button>
          </Fragment>
        )}
      </div>
    </Sheet>
  );
}
