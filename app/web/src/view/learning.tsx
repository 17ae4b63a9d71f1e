// The learning page: what the model is, whether its odds can be believed, and what it found.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { summary } from "../logic/record";
import { halfWords, halvesOf } from "../logic/halves";
import { plain, titleOf } from "../logic/names";
import { askKey } from "../app/key";
import { loadModel } from "../app/live";
import { small, things, type State } from "../app/state";
import { count, demoLabel, listed, seconds } from "../logic/words";
import type { Bin, Curves, ModelFacts, Unit } from "../types";
import { CalibrationPlot, Lines, Table, useTable } from "./charts";
import { Footer } from "./footer";
import { Thumb } from "./poster";
import { TrainingNow } from "./training";

const whole = (n: number): string => n.toLocaleString("en-GB");

export function Learning({ s }: { s: State }): JSX.Element {
  const job = s.route.page === "learning" ? s.route.job : "";
  useEffect(() => {
    if (!s.model) void loadModel();
  }, []);
  const m = s.model;
  const growing = s.training?.curves; // while a training is followed its curves come first
  return (
    <main class="learning" id="main">
      <h1>What the model learned</h1>
      {m ? (
        <Fragment>
          <p class="lead">{lead(m)} Your own list is not used for training.{small(s) && m.facts.synthetic ? ` ${demoLabel}.` : ""}</p>
          {job && <TrainingNow key={job} s={s} job={job} />}
          {growing && <div class="learnGrid growing"><CurvePanels curves={growing} until={s.training?.state === "running" ? s.training.epochs : undefined} now things={things(s)} roomy={s.width === "wide"} /></div>}
          <Facts m={m} things={things(s)} />
          <div class="learnGrid">
            <Calibration s={s} m={m} />
            <Tastes s={s} units={m.units ?? []} />
            {!growing && <CurvePanels curves={m.curves ?? null} things={things(s)} roomy={s.width === "wide"} />}
          </div>
        </Fragment>
      ) : (
        <p class="lead" role="status">{s.net === "locked" ? <Fragment>This server asks for an API key. <button type="button" class="link" onClick={() => askKey()}>Enter the key</button></Fragment> : s.modelError ? "The server does not answer. Your list is safe." : "Asking the server…"}{s.modelError && s.net !== "locked" && <Fragment> <button type="button" class="link" onClick={() => void loadModel()}>Retry</button></Fragment>}</p>
      )}
      <Footer model={s.model} />
    </main>
  );
}

function lead(m: ModelFacts): string {
  const people = m.facts.people === undefined ? "people" : `${whole(m.facts.people)} ${m.facts.synthetic ? "synthetic " : ""}people`;
  return m.facts.training_s == null ? `Trained from the lists of ${people}.` : `Trained on this machine from ${people}.`; // who timed it was there
}

function Facts({ m, things }: { m: ModelFacts; things: string }): JSX.Element {
  const f = m.facts;
  const epochs = m.curves?.epoch?.at(-1);
  const facts: [string, string][] = [[f.model, `model${f.seed === undefined ? "" : `, seed ${f.seed}`}`]];
  if (f.people !== undefined) facts.push([whole(f.people), f.synthetic ? "people, synthetic" : "people"]);
  if (f.items !== undefined) facts.push([whole(f.items), things]);
  if (f.placements !== undefined) facts.push([whole(f.placements), "placements"]);
  if (f.hidden !== undefined) facts.push([whole(f.hidden), "hidden tastes"]);
  if (f.training_s != null) facts.push([seconds(f.training_s), epochs === undefined ? "to make it" : `to make it, ${count(epochs, "epoch")}`]);
  else if (epochs !== undefined) facts.push([whole(epochs), "epochs; time not kept"]);
  return <dl class="facts">{facts.map(([value, name]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

function Calibration({ s, m }: { s: State; m: ModelFacts }): JSX.Element {
  const { asTable, toggle } = useTable();
  const c = m.calibration;
  const own = summary(s.record);
  const even = (c?.even?.length ?? 0) > 0; // files of earlier versions have bins of equal size alone
  const bins = (even ? c?.even : c?.bins) ?? [];
  const usable = c && bins.length > 0 && c.events > 0;
  const percent = (p: number): string => `${Math.round(p * 100)}%`;
  return (
    <section class="panel calibration" aria-labelledby="calibration-title">
      <header><h2 id="calibration-title">When we say 70%, does it happen 70% of the time?</h2>{usable && toggle}</header>
      {usable ? (
        <div class="calibrationBody">
          {asTable ? <Table caption="Calibration" head={["We said", "It happened", "95% interval", "Predictions"]} rows={bins.map((bin) => [percent(bin.p), percent(bin.observed), `${percent(bin.low)} to ${percent(bin.high)}`, whole(bin.count)])} /> : <CalibrationPlot bins={bins} even={even} />}
          <div class="reading">
            <p class="oneNumber">{(c.ece * 100).toFixed(1)} points</p>
            <p>off on average (ECE {c.ece.toFixed(3)}), over {whole(c.events)} predictions kept out of training.</p>
            {even && <Halves bins={bins} />}
            <hr />
            <p><b>How to read it.</b> {even ? "A ring gathers all predictions of one tenth, such as 60% to 70%; the bars count them." : "A ring gathers as many predictions as any other, of about that size."} On the line, we were honest. Above it, we said too little. Below it, too much. The stroke is a 95% interval.</p>
            <hr />
            <Own own={own} />
          </div>
        </div>
      ) : (
        <div class="reading">
          <p>Unknown: this model has no held-out people.</p>
          <hr />
          <Own own={own} />
        </div>
      )}
    </section>
  );
}

/** Halves says in words what the plot shows: most predictions are of small odds, and their average hides how the large ones do. */
function Halves({ bins }: { bins: Bin[] }): JSX.Element {
  const [low, high] = halvesOf(bins);
  return <p class="halves">{low && halfWords("Below 50%", low)} {high ? halfWords("From 50% up", high) : "We never said 50% or more."}</p>;
}

/** Own is the person's record; below 50 nothing can be said. */
function Own({ own }: { own: { right: number; of: number; expected: number } }): JSX.Element {
  return (
    <p>
      <b>With you so far.</b> {own.of === 0 ? "Nothing placed blind yet." : `${own.right} of ${own.of} right, ${own.expected.toFixed(1)} expected.`} {own.of < 50 ? "Too few to judge." : Math.abs(own.right - own.expected) <= 2 * Math.sqrt(own.of) / 2 ? "That fits." : own.right > own.expected ? "We were too shy." : "We were too sure."}
    </p>
  );
}

/** So many tastes are shown at first. */
const fewUnits = 8;

function Tastes({ s, units }: { s: State; units: Unit[] }): JSX.Element {
  const [all, setAll] = useState(false);
  const shares = units.some((unit) => unit.share !== null);
  const shown = all ? units : units.slice(0, fewUnits);
  const name = ({ item, name }: Unit["up"][number]): string => plain(titleOf(s.items.get(item) ?? { name }, item).title);
  const called = (items: Unit["up"]): string => listed(items.slice(0, 2).map(name));
  const pictures = (items: Unit["up"]): JSX.Element => (
    <ul class="unitPictures">{items.slice(0, 4).map((item) => <li key={item.item} title={name(item)}><Thumb item={s.items.get(item.item)} /><span class="unseen">{name(item)}</span></li>)}</ul>
  );
  return (
    <section class="panel tastes" aria-labelledby="tastes-title">
      <header><h2 id="tastes-title">Tastes it found</h2></header>
      {units.length === 0 ? (
        <p class="lead">This model has no hidden tastes.</p>
      ) : (
        <Fragment>
          <p class="lead">Nobody named these. Each one pulls some {things(s)} up and others down, and is called here after those it pulls most.</p>
          <table class="units">
            <thead><tr><th scope="col">pulls up</th><th scope="col">pulls down</th>{shares && <th scope="col">people</th>}</tr></thead>
            <tbody>
              {shown.map((unit) => (
                <tr key={unit.unit}>
                  <td>{pictures(unit.up)}<span class="unitName" dir="auto">{called(unit.up)}</span></td>
                  <td class="pulledDown">{pictures(unit.down)}<span class="unitName" dir="auto">{called(unit.down)}</span></td>
                  {shares && <td class="share">{unit.share === null ? "?" : <Share share={unit.share} />}</td>}
                </tr>
              ))}
            </tbody>
          </table>
          {units.length > fewUnits && <button type="button" class="link caption more" aria-expanded={all} onClick={() => setAll(!all)}>{all ? `Show ${fewUnits}` : `Show all ${units.length}`}</button>}
        </Fragment>
      )}
    </section>
  );
}

function Share({ share }: { share: number }): JSX.Element {
  return (
    <Fragment>
      {Math.round(share * 100)}%
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" x="0" y="3" width="100" height="1.5" /><rect class="inkFill" x="0" y="0" width={share * 100} height="8" /></svg>
    </Fragment>
  );
}

/** CurvePanels shows the curves that training kept, and names those it did not. While a training is followed, `now`, they are still to come. */
function CurvePanels({ curves, now = false, until, things, roomy }: { curves: Curves | null; now?: boolean; until?: number; things: string; roomy: boolean }): JSX.Element | null {
  if (!curves || curves.epoch.length < 2) return now ? null : <p class="lead unknown">Not known: this model's file keeps no curves of its training.</p>;
  const accept = Object.entries(curves.accept ?? {}).filter(([, values]) => values.length > 0).sort(([a], [b]) => Number(b === "split") - Number(a === "split"));
  const has = { distance: (curves.distance?.length ?? 0) > 0, likelihood: (curves.log_likelihood?.length ?? 0) > 0, ranking: (curves.ndcg10?.length ?? 0) > 0, accept: accept.length > 0 };
  const panels = Object.values(has).filter(Boolean).length;
  const room = now ? 1160 : 760; // beside tastes, or the whole page
  const wide = roomy ? Math.max(380, room / panels) : 380; // what one panel gets of it
  const missing = [!has.distance && "how far imagined lists are from real ones", !has.ranking && `how well it ranks unseen ${things}`, !has.accept && "how many moves of a sampler were accepted"].filter((words) => words !== false);
  return (
    <Fragment>
      <div class="curves">
        {has.distance && <Curve until={until} title="Imagined lists vs real ones" about="Share of pairs ordered differently. Lower is better." wide={wide} epochs={curves.epoch} lines={[{ name: "", values: curves.distance!, pencil: true }]} percent />}
        {has.likelihood && <Curve until={until} title="How well it explains people" about="Mean log probability of a placement. Higher is better." wide={wide} epochs={curves.epoch} lines={[{ name: "", values: curves.log_likelihood!, pencil: true }]} />}
        {has.ranking && <Curve until={until} title={`Ranking unseen ${things}`} about="NDCG@10 on those kept back. Higher is better." wide={wide} epochs={curves.epoch} lines={[{ name: "", values: curves.ndcg10!, pencil: true }]} level={curves.item_mean_ndcg10 == null ? null : { name: "item-mean", value: curves.item_mean_ndcg10 }} />}
        {has.accept && <Curve until={until} title="Moves accepted" about="How freely the sampler wanders. At 0 it is stuck." wide={wide} epochs={curves.epoch} lines={accept.slice(0, 4).map(([name, values], i) => ({ name, values, pencil: i === 0 }))} percent zero />}
      </div>
      {missing.length > 0 && !now && <p class="lead unknown">Not measured in this training: {listed(missing)}.</p>}
    </Fragment>
  );
}

interface CurveProps {
  title: string;
  about: string;
  epochs: number[];
  lines: { name: string; values: number[]; pencil: boolean }[];
  level?: { name: string; value: number } | null;
  percent?: boolean;
  zero?: boolean;
  wide: number;
  until?: number;
}

function Curve({ title, about, epochs, lines, level, percent = false, zero = false, wide, until }: CurveProps): JSX.Element {
  const { asTable, toggle } = useTable();
  const cell = (value: number | undefined): string => (value === undefined ? "" : percent ? `${(value * 100).toFixed(1)}%` : value.toFixed(3));
  return (
    <section class="panel curvePanel" aria-label={title}>
      <header><h2>{title}</h2>{toggle}</header>
      <p class="lead">{about}</p>
      {asTable ? <Table caption={title} head={["Epoch", ...lines.map((line) => line.name || "value"), ...(level ? [level.name] : [])]} rows={epochs.map((epoch, i) => [epoch, ...lines.map((line) => cell(line.values[i])), ...(level ? [cell(level.value)] : [])])} /> : <Lines label={`${title}. ${about}`} epochs={epochs} lines={lines} level={level} percent={percent} zero={zero} wide={wide} until={until} />}
    </section>
  );
}
