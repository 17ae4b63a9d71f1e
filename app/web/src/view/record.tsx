// The track record: we keep score in public.
import { h, type JSX } from "preact";
import { saidWords, shown, summary } from "../logic/record";
import { titleOf } from "../logic/names";
import { percentText } from "../logic/odds";
import { youFirst } from "../logic/words";
import type { State } from "../app/state";
import { mutedItem } from "./board";
import { part } from "./part";

export const Record = part(function Record({ s }: { s: State }): JSX.Element {
  const last = s.record.slice(-shown);
  const { right, of, expected } = summary(last);
  const muted = mutedItem(s);
  const empty = Math.max(0, shown - last.length);
  return (
    <section class="panel record" aria-labelledby="record-title">
      <header>
        <h2 id="record-title">{of === 0 ? "Our guesses so far" : `We guessed ${right} of your last ${of}`}</h2>
        {of > 0 && <span class="caption" title="The sum of the odds that we gave our guesses">expected {expected.toFixed(1)} by our odds</span>}
      </header>
      <div class="ticks" role="img" aria-label={of === 0 ? "No guesses yet" : last.map((entry) => (entry.right ? "right" : "wrong")).join(", ")}>
        {Array.from({ length: empty }, (_, i) => <i key={`empty ${i}`} class="empty" />)}
        {last.map((entry) => <i key={entry.item} class={entry.right ? "right" : "wrong"} />)}
      </div>
      <p class="caption">{muted ? youFirst(titleOf(s.items.get(muted), muted).title) : s.said ? saidWords(s.said) : (of === 0 ? "Place something from the tray: we say what we had thought." : `The last that counted. ${lastWords(last.at(-1)!)}`)}</p>
    </section>
  );
});

const lastWords = (entry: { name: string; put: string; said: string; p: number }): string => `${entry.name}: you put ${entry.put}. We had said ${entry.said}, ${percentText(Math.round(entry.p * 100))}.`;
