// For whoever runs the server: model, health, load, jobs, somebody's list with what we recommend and why, items and their
// neighbours, and whether the odds held for what people placed. It asks for a key with the scope admin; nothing leads here.
import { Fragment, h, type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { plain, placeWords, shortTier } from "../logic/names";
import { likeliest, percentsOf, percentText, placesOf } from "../logic/odds";
import { pickRows, whyRows } from "../logic/why";
import { count, signed, signedPercent } from "../logic/words";
import * as op from "../app/operator";
import { Failure } from "../app/request";
import { loadModel } from "../app/live";
import type { State } from "../app/state";
import type { Advice, Explanation, Item, TierLook } from "../types";
import { CalibrationPlot, Table, useTable } from "./charts";
import { Footer } from "./footer";

const whole = (n: number): string => n.toLocaleString("en-GB");
const ms = (n: number): string => `${n < 10 ? n.toFixed(1) : whole(Math.round(n))} ms`;
const day = (text: string): string => text.slice(0, 10);

/** said is what to tell of a request that came to nothing. */
function said(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  if (error.status === 401 || error.status === 403) return "That key is no admin's.";
  if (error.status === 0) return "The server does not answer.";
  return error.message;
}

export function Operator({ s }: { s: State }): JSX.Element {
  const [key, setKey] = useState(""); // in memory alone: it goes with the page
  const [refused, setRefused] = useState("");
  const [status, setStatus] = useState<op.Status | null>(null);
  useEffect(() => {
    if (!s.model) void loadModel();
  }, []);
  useEffect(() => {
    if (!key) return;
    const ask = (): void => void op.status(key).then((now) => { setStatus(now); setRefused(""); }, (error: unknown) => { setRefused(said(error)); if (error instanceof Failure && error.status !== 0) setKey(""); });
    ask();
    const timer = window.setInterval(ask, 5000);
    return () => clearInterval(timer);
  }, [key]);
  return (
    <main class="learning operator" id="main">
      <h1>For whoever runs it</h1>
      {!key || !status ? (
        <Fragment>
          <p class="lead">Model, health, load, jobs, and how we answer. Only a key with the scope admin opens it; it stays in this tab and is kept nowhere.</p>
          <KeyForm take={setKey} />
          <p role="status" class={refused ? "bad" : undefined}>{refused || (key ? "Asking the server…" : "")}</p>
        </Fragment>
      ) : (
        <Fragment>
          <p class="lead" role="status">{refused || `${status.ready ? "Ready" : "Not ready"}${status.trouble ? `: ${status.trouble}` : ""}. Asked again every 5 seconds.`}</p>
          <Health s={s} status={status} />
          <div class="learnGrid">
            <Load status={status} />
            <Jobs admin={key} />
            <Somebody admin={key} />
            <Neighbours admin={key} />
            <HeldUp admin={key} />
          </div>
        </Fragment>
      )}
      <Footer model={s.model} />
    </main>
  );
}

function KeyForm({ take }: { take: (key: string) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      class="asking"
      onSubmit={(event) => {
        event.preventDefault();
        take(""); // the same key again is asked again
        requestAnimationFrame(() => take(input.current?.value.trim() ?? ""));
      }}
    >
      <input ref={input} type="password" aria-label="Admin key" placeholder="Admin key" autoComplete="off" required />
      <button type="submit" class="outlined">Open</button>
    </form>
  );
}

function Health({ s, status }: { s: State; status: op.Status }): JSX.Element {
  const f = s.model?.facts;
  const facts: [string, string][] = [
    [f?.model ?? "?", `model ${status.model.slice(0, 12)}…, read ${status.loaded.slice(0, 16).replace("T", " ")} UTC`],
    [f ? `${whole(f.items ?? 0)} items` : "?", f ? `${whole(f.people ?? 0)} people, ${whole(f.placements ?? 0)} placements` : "items"],
    [whole(status.in_flight), `requests in hand, ${whole(status.waiting)} waiting`],
    [whole(status.turned_away), "turned away since the start"],
    [whole(status.panics), "mistakes caught"],
    [`${whole(Math.round(status.memory_bytes / 1e6))} MB`, "memory in use"],
  ];
  return <dl class="facts">{facts.map(([value, name]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

function Panel({ id, title, wide, about, children }: { id: string; title: string; wide?: boolean; about?: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class={`panel op-${id}${wide ? " wide" : ""}`} aria-labelledby={`op-${id}`}>
      <header><h2 id={`op-${id}`}>{title}</h2></header>
      {about && <p class="lead">{about}</p>}
      {children}
    </section>
  );
}

function Load({ status }: { status: op.Status }): JSX.Element {
  const rows = status.routes.filter(({ route }) => route.includes(" /v1/")).slice(0, 12).map((r) => [r.route, whole(r.count), whole(r.failed), ms(r.p50_ms), ms(r.p95_ms)]);
  return (
    <Panel id="load" title="Load" wide about="Requests to the API since the start, by route. Times are by the buckets of /metrics.">
      <Table caption="Load by route" head={["Route", "Requests", "Failed", "Half within", "95% within"]} rows={rows} />
    </Panel>
  );
}

function Jobs({ admin }: { admin: string }): JSX.Element {
  const [jobs, setJobs] = useState<op.JobRow[] | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    void op.jobs(admin).then(setJobs, (error: unknown) => setWrong(said(error)));
  }, [admin]);
  return (
    <Panel id="jobs" title="Jobs" about="Trainings, the newest first.">
      {wrong && <p class="bad">{wrong}</p>}
      {jobs && (jobs.length === 0 ? <p>No job yet.</p> : <Table caption="Jobs" head={["Started by", "State", "How far"]} rows={jobs.map((job) => [`${job.kind}, ${day(job.created)}`, job.state, job.failure || (job.progress ? `${job.progress.epoch} of ${job.progress.epochs}` : "")])} />)}
      <p><a href="#/learning/job">Follow a training</a></p>
    </Panel>
  );
}

/** useAnswer runs one question at a time: the last one counts. */
function useAnswer<T>(): { answer: T | null; wrong: string; run: (question: Promise<T>) => void } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [wrong, setWrong] = useState("");
  const last = useRef<Promise<T> | null>(null);
  const run = (question: Promise<T>): void => {
    last.current = question;
    question.then((got) => { if (last.current === question) { setAnswer(got); setWrong(""); } }, (error: unknown) => { if (last.current === question) { setAnswer(null); setWrong(said(error)); } });
  };
  return { answer, wrong, run };
}

function Asking({ label, hint, go, button }: { label: string; hint: string; go: (text: string) => void; button: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form class="asking" onSubmit={(event) => { event.preventDefault(); go(input.current?.value.trim() ?? ""); }}>
      <input ref={input} aria-label={label} placeholder={hint} autoComplete="off" maxLength={2000} required />
      <button type="submit" class="outlined">{button}</button>
    </form>
  );
}

/** Somebody is a person's list, what we recommend for it, and why. */
function Somebody({ admin }: { admin: string }): JSX.Element {
  const { answer, wrong, run } = useAnswer<{ person: op.Person; advice: Advice }>();
  const why = useAnswer<Explanation>();
  const looks: TierLook[] = (answer?.person.tiers ?? []).map(({ name }) => ({ name, colour: "stone" }));
  const tiers = (answer?.person.tiers ?? []).map(({ items }) => items);
  const look = async (text: string): Promise<{ person: op.Person; advice: Advice }> => {
    const person = await op.person(admin, text);
    return { person, advice: await op.recommend(admin, person.tiers.map(({ items }) => items)) };
  };
  const guess = (g: Advice["items"][number]): string => {
    const places = placesOf(g, answer!.advice.tiers_used);
    const best = likeliest(places);
    return best < 0 ? "no odds" : `${placeWords(places[best], looks)}, ${percentText(percentsOf(places)[best])}`;
  };
  return (
    <Panel id="somebody" title="Somebody's list" wide about="A shared list by its link or id, or a list as text, such as S: Alien, Heat.">
      <Asking label="Link, id or list" hint="Link, id, or S: a, b" button="Look up" go={(text) => run(look(text))} />
      {wrong && <p class="bad" role="status">{wrong}</p>}
      {answer && (
        <Fragment>
          <p dir="auto"><b>{answer.person.title}</b>: {answer.person.tiers.map((tier) => `${shortTier(tier.name)} ${tier.items.length}`).join(", ")}. {(answer.advice.unknown?.length ?? 0) > 0 && `${count(answer.advice.unknown!.length, "item")} not in the catalogue.`}</p>
          <ol class="opRows">
            {answer.advice.items.map((g) => (
              <li key={g.item}>
                <span dir="auto">{plain(g.name)}</span> <span class="pencil">{guess(g)}</span>{g.interest != null && <span> pick {percentText(Math.round(g.interest * 100))}</span>}{" "}
                <button type="button" class="link" aria-label={`Why ${plain(g.name)}`} onClick={() => why.run(op.explain(admin, tiers, g.item))}>why</button>
              </li>
            ))}
          </ol>
          {why.wrong && <p class="bad">{why.wrong}</p>}
          {why.answer && <Reasons e={why.answer} person={answer.person} />}
        </Fragment>
      )}
    </Panel>
  );
}

function Reasons({ e, person }: { e: Explanation; person: op.Person }): JSX.Element {
  const names = new Map(e.parts.map(({ item, name }) => [item, name]));
  const list = { title: "", tiers: person.tiers.map((tier, i) => ({ ...tier, id: String(i), colour: "stone" as const })), never: [], hidden: [] };
  const nameOf = (item: string): string => names.get(item) ?? item;
  const { rows, score } = whyRows(e, list, nameOf);
  const picks = pickRows(e.interest?.parts ?? [], list, nameOf);
  return (
    <Fragment>
      {(e.balanced || !e.interest) && <Table caption={`Why ${plain(e.name)}`} head={[plain(e.name), "Part"]} rows={[...rows.map((row) => [row.text, signed(row.hundredths / 100)]), ["Score", signed(score / 100)]]} />}
      {picks.length > 0 && <Table caption={`Why they would pick ${plain(e.name)}`} head={["What speaks for picking it", "Share"]} rows={picks.map((row) => [row.text, signedPercent(row.hundredths)])} />}
    </Fragment>
  );
}

function Neighbours({ admin }: { admin: string }): JSX.Element {
  const found = useAnswer<Item[]>();
  const near = useAnswer<{ of: string; items: { item: string; name: string; similarity: number }[] }>();
  return (
    <Panel id="neighbours" title="An item and its neighbours" about="By the angle between what the model learned of the two.">
      <Asking label="Item" hint="Part of a name" button="Find" go={(words) => found.run(op.find(admin, words))} />
      {(found.wrong || near.wrong) && <p class="bad" role="status">{found.wrong || near.wrong}</p>}
      {found.answer && (found.answer.length === 0 ? <p>Nothing has that in its name.</p> : <ul class="opRows">{found.answer.map((item) => <li key={item.item}><button type="button" class="link" dir="auto" onClick={() => near.run(op.neighbours(admin, item.item).then((items) => ({ of: plain(item.name), items })))}>{plain(item.name)}</button> {item.support !== undefined && <span class="caption">{count(item.support, "rating")}</span>}</li>)}</ul>)}
      {near.answer && <Table caption={`Nearest to ${near.answer.of}`} head={[`Nearest to ${near.answer.of}`, "Cosine"]} rows={near.answer.items.map((item) => [plain(item.name), item.similarity.toFixed(2).replace("-", "−")])} />}
    </Panel>
  );
}

/** HeldUp is calibration over time, from the lists that people saved. */
function HeldUp({ admin }: { admin: string }): JSX.Element {
  const [period, setPeriod] = useState("week");
  const { answer, wrong, run } = useAnswer<op.Held>();
  const { asTable, toggle } = useTable();
  useEffect(() => run(op.calibration(admin, period)), [admin, period]);
  const last = answer?.periods.at(-1);
  return (
    <Panel id="held" title="Did the odds hold for what people placed?" wide about="Every placement of a saved list, against the odds that the rest of its list gives it. No list is named here.">
      <label class="select"><span class="unseen">Group by</span><select value={period} onChange={(event) => setPeriod(event.currentTarget.value)}><option value="day">by day</option><option value="week">by week</option><option value="month">by month</option></select></label>{" "}
      {last && toggle}
      {wrong && <p class="bad" role="status">{wrong}</p>}
      {answer && answer.periods.length === 0 && <p>No saved list has two items that the model knows.</p>}
      {last && (
        <Fragment>
          <Table caption="Calibration over time" head={["From", "Lists", "Placements", "Off on average", "Predictions"]} rows={answer!.periods.map((p) => [day(p.from), whole(p.lists), whole(p.placed), `${(p.ece * 100).toFixed(1)} points`, whole(p.events)])} />
          <h3>{`From ${day(last.from)}`}</h3>
          {asTable ? <Table caption="Calibration of the last" head={["We said", "It happened", "95% interval", "Predictions"]} rows={(last.even ?? last.bins).map((bin) => [`${Math.round(bin.p * 100)}%`, `${Math.round(bin.observed * 100)}%`, `${Math.round(bin.low * 100)}% to ${Math.round(bin.high * 100)}%`, whole(bin.count)])} /> : <div class="opPlot"><CalibrationPlot bins={last.even ?? last.bins} even={last.even != null} /></div>}
          {answer!.left && <p class="caption">Of the newest {count(answer!.lists, "list")}.</p>}
        </Fragment>
      )}
    </Panel>
  );
}
