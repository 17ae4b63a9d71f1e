// The side: one pair, whether raters agree, and which votes move the top.
import { Fragment, h, type JSX } from "preact";
import { elsewhere, farOff, nameOf, probability, scales, shares, type PairReport, type Report } from "../logic/board";
import { percentText } from "../logic/odds";
import { count, signed } from "../logic/words";
import { swap } from "./acts";
import { tasteNames } from "./board";
import { itemOf, store, type Shown } from "./state";

const whole = (n: number): string => n.toLocaleString("en-GB", { maximumFractionDigits: 1 });

export function OnePair({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const [a, b] = [itemOf(s, s.a), itemOf(s, s.b)];
  return (
    <section class="panel onePair" id="pair" tabIndex={-1} aria-labelledby="pair-title">
      <header><h2 id="pair-title">One pair</h2>{s.view === "board" && <a class="link caption" href="#/pairs">Show as matrix</a>}</header>
      <p class="pairNames"><b>A</b> {a ? <span class="name" dir="auto">{nameOf(a)}</span> : <span class="caption">Press Enter on a row, or click it.</span>}</p>
      <p class="pairNames"><b>B</b> {b ? <span class="name" dir="auto">{nameOf(b)}</span> : <span class="caption">{a ? "Now another row." : ""}</span>} {b && <button type="button" class="link caption" onClick={swap}>Swap</button>}</p>
      {a && b && (s.pair ? <PairBody report={report} pair={s.pair} tiers={[a.tier, b.tier]} elo={s.scale === "elo"} /> : <p class="caption" role="status">{s.net === "error" ? "The server does not answer." : "Asking the server…"}</p>)}
    </section>
  );
}

function PairBody({ report, pair, tiers, elo }: { report: Report; pair: PairReport; tiers: number[]; elo: boolean }): JSX.Element {
  const votes = pair.counted?.reduce((sum, k) => sum + k, 0) ?? 0;
  const half = report.critical * pair.std_err;
  const apart = Math.abs(pair.difference) > half; // at the level of the board that is shown
  const scale = elo ? scales.elo.at(1) - scales.elo.at(0) : 1;
  const number = (value: number): string => (elo ? value.toFixed(0) : value.toFixed(2)).replace("-", "−");
  return (
    <Fragment>
      <p class="pairHeads caption" aria-hidden="true"><span>A wins</span><span>tie</span><span>B wins</span></p>
      {votes > 0 ? <Bars kind="counted" title="Counted" rest={`, ${count(votes, "vote")}`} parts={pair.counted!} text={(p) => `${p}%`} /> : <p class="caption never"><b>Never met.</b> Fitted only.</p>}
      {pair.expected && elsewhere(pair.expected, pair.fitted) ? (
        <Fragment>
          <Bars kind="fitted" title="Expected" rest=", in the same votes" parts={pair.expected} text={percentText} />
          <Bars kind="fitted" title="Fitted" rest=", in a vote on the two alone" parts={pair.fitted} text={percentText} />
        </Fragment>
      ) : (
        <Bars kind="fitted" title="Fitted" rest=", from all votes" parts={pair.fitted} text={percentText} />
      )}
      <hr />
      <dl class="pairFacts">
        <div><dt>{elo ? "Difference in Elo" : "Difference of worths"}</dt><dd class="pencil">{number(scale * pair.difference)} ± {number(scale * half)}</dd></div>
        <div><dt>Told apart</dt><dd>{apart ? "yes" : "no"}, {tiers[0] === tiers[1] ? `both in tier ${tiers[0]}` : `tiers ${tiers[0]} and ${tiers[1]}`}</dd></div>
        {pair.p != null && votes > 0 && <div><dt>Counted votes</dt><dd>{pair.p < farOff ? "further off than chance" : "as expected"}, {probability(pair.p)}</dd></div>}
      </dl>
    </Fragment>
  );
}

interface BarsProps {
  kind: "counted" | "fitted";
  title: string;
  rest: string;
  parts: readonly number[];
  text: (percent: number) => string;
}

/** Bars are the shares of a win, a tie and a loss. Where one is too narrow for its number, the numbers stand below. */
function Bars({ kind, title, rest, parts, text }: BarsProps): JSX.Element {
  const whole = shares(parts);
  const sum = parts.reduce((x, y) => x + y, 0);
  const inside = whole.every((p) => p >= 13);
  const words = ["A wins", "tie", "B wins"];
  return (
    <div class={`pairBars ${kind}`} role="img" aria-label={`${title}${rest}: ${whole.map((p, i) => `${words[i]} ${text(p)}`).join(", ")}`}>
      <p class="caption"><b>{title}</b>{rest}</p>
      <div class="segments" aria-hidden="true">{parts.map((p, i) => <span key={i} data-percent={whole[i]} style={{ flexGrow: String(p / sum) }}>{inside && text(whole[i])}</span>)}</div>
      {!inside && <p class="below caption" aria-hidden="true">{whole.map((p, i) => <span key={i}>{text(p)}</span>)}</p>}
    </div>
  );
}

/** PairBar leads to the pair where it stands below the board. */
export function PairBar({ s }: { s: Shown }): JSX.Element | null {
  const [a, b] = [itemOf(s, s.a), itemOf(s, s.b)];
  if (!a) return null;
  const go = (): void => {
    const panel = document.querySelector<HTMLElement>("#pair");
    panel?.scrollIntoView({ block: "start" });
    panel?.focus({ preventScroll: true });
  };
  return <p class="pairBar"><span class="itemName" dir="auto"><b class="ab">A</b> {nameOf(a)}</span><span class="itemName" dir="auto"><b class="ab">B</b> {b ? nameOf(b) : "…"}</span><button type="button" class="outlined" disabled={!b} onClick={go}>See the pair</button></p>;
}

export function Raters({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const t = report.tastes;
  const names = report.raters ?? [];
  return (
    <section class="panel sidePanel" aria-labelledby="raters-title">
      <h2 id="raters-title">Do raters agree?</h2>
      {t && t.groups.length > 1 ? (
        <Tastes s={s} report={report} />
      ) : t ? (
        <p>All raters share one taste.</p>
      ) : names.length > 0 ? (
        <Reliabilities names={names} />
      ) : (
        <p>Fitted without raters. Where the votes name theirs, <code>fubini fit --raters COLUMN</code> tells them apart.</p>
      )}
    </section>
  );
}

const capital = (text: string): string => text[0].toUpperCase() + text.slice(1);
const tasteName = (i: number): string => tasteNames[i] ?? `taste ${i + 1}`;

function Tastes({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const { groups, gain, std_err, one_board_is_enough: enough } = report.tastes!;
  const percents = shares(groups.map((group) => group.share));
  const shown = s.taste || 1;
  const differ = groups[shown].worths.map((other, i) => ({ item: report.items[i], by: other.worth - groups[0].worths[i].worth, apart: other.apart })).filter((row) => row.apart).sort((x, y) => Math.abs(y.by) - Math.abs(x.by)).slice(0, 3);
  const words = ["", "One taste", "Two tastes", "Three tastes"][groups.length] ?? `${groups.length} tastes`;
  return (
    <Fragment>
      <p>{enough ? `One board is enough: ${words.toLowerCase()} explain votes held out by ${gain.toFixed(4)} nats a vote, ±${(2 * std_err).toFixed(4)}.` : `${words} explain the votes better than one board: ${gain.toFixed(4)} nats a vote, held out, ±${(2 * std_err).toFixed(4)}.`}</p>
      <div class="tasteBar" role="img" aria-label={`Raters: ${groups.map((_, i) => `${tasteName(i)} ${percents[i]}%`).join(", ")}`}>{groups.map((group, i) => <span key={i} class={i === 0 ? "firstTaste" : ""} style={{ flexGrow: String(group.share) }} />)}</div>
      <ul class="tasteKeys">
        {groups.map((_, i) => (
          <li key={i} class={i === 0 ? "pencil" : ""}>
            <span aria-hidden="true">{i === 0 ? "●" : "◇"}</span> {i > 0 && groups.length > 2 ? <button type="button" class="link" aria-pressed={s.taste === i} onClick={() => store.set({ taste: i })}>{capital(tasteName(i))}</button> : <b>{capital(tasteName(i))}</b>} <span class="inkText">{percents[i]}%</span>
          </li>
        ))}
      </ul>
      {differ.length > 0 && (
        <Fragment>
          <hr />
          <h3 class="caption">{capital(tasteName(shown))} differs most on</h3>
          <dl class="pairFacts">{differ.map(({ item, by }) => <div key={item.item}><dt class="name" dir="auto">{nameOf(item)}</dt><dd>{signed(by)}</dd></div>)}</dl>
        </Fragment>
      )}
    </Fragment>
  );
}

function Reliabilities({ names }: { names: NonNullable<Report["raters"]> }): JSX.Element {
  const order = [...names].sort((x, y) => y.reliability - x.reliability);
  const few = order.length > 6 ? [...order.slice(0, 3), ...order.slice(-3)] : order;
  return (
    <Fragment>
      <p>{count(names.length, "rater")}, each with a reliability: a factor on all worths, 1 on average.</p>
      <dl class="pairFacts">{few.map(({ rater, reliability, std_err }) => <div key={rater}><dt dir="auto">{rater}</dt><dd>{reliability.toFixed(2)}{std_err === undefined ? "" : ` ± ${(2 * std_err).toFixed(2)}`}</dd></div>)}</dl>
    </Fragment>
  );
}

export function Influences({ report }: { report: Report }): JSX.Element | null {
  const f = report.influence;
  if (!f) return null;
  const names = new Map(report.items.map((item) => [item.item, nameOf(item)]));
  const name = (id: string): string => names.get(id) ?? id;
  return (
    <section class="panel sidePanel" aria-labelledby="influence-title">
      <h2 id="influence-title" class="small">Which votes move the top?</h2>
      <p>Without the 1% most telling, {f.moved} of {f.top} ranks {f.moved === 1 ? "changes" : "change"}.</p>
      <p>{f.votes === null ? `No number of votes was found whose loss would put ${name(f.second)} above ${name(f.first)}.` : `The loss of ${f.fewest ? "" : "about "}${count(Math.max(1, Math.round(f.votes)), "vote")} would put ${name(f.second)} above ${name(f.first)}${f.fewest && f.votes > 1 ? "; one vote less would not" : ""}.`}</p>
      {f.lists && f.lists.length > 0 && (
        <details>
          <summary>The votes that hold them most</summary>
          <dl class="pairFacts">{f.lists.slice(0, 8).map((list, i) => <div key={i}><dt dir="auto">{list.tiers.map((tier) => tier.map(name).join(" = ")).join(" > ")}</dt><dd>{whole(list.weight)} ×</dd></div>)}</dl>
        </details>
      )}
    </section>
  );
}
