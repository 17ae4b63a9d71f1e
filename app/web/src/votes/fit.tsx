// Fit: parameters, how well they explain the votes, and where they do not.
import { Fragment, h, type JSX } from "preact";
import { useEffect } from "preact/hooks";
import { nameOf, shares, type Pairs, type Report } from "../logic/board";
import { percentText } from "../logic/odds";
import { calibration, residuals } from "../logic/pairs";
import { CalibrationPlot, Table, useTable } from "../view/charts";
import { loadPairs } from "./load";
import { percent, type Shown } from "./state";

const whole = (n: number): string => n.toLocaleString("en-GB", { maximumFractionDigits: 1 });
const number = (v: number, digits = 4): string => v.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");

const likelihoods: Record<string, string> = { exact: "exact", slots: "composite, of the slots of long lists" };
const errorNames: Record<string, string> = { information: "observed information", sandwich: "sandwich", bootstrap: "bootstrap" };
const spaces: Record<string, string> = { all: "all weak orders", orders: "orders without ties (T = N)", two: "two tiers (T = 2)" };

export function FitView({ s, report }: { s: Shown; report: Report }): JSX.Element {
  useEffect(() => void loadPairs(), []);
  return (
    <div class="fitGrid">
      <section class="panel" aria-labelledby="how-title">
        <header><h2 id="how-title">How it was fitted</h2></header>
        <dl class="pairFacts">{facts(report).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      </section>
      <section class="panel" aria-labelledby="coefficients-title">
        <header><h2 id="coefficients-title">Coefficients</h2></header>
        {report.coefficients.length > 0 ? <Table caption="Coefficients" head={["Name", "Value", "Std. error", `${percent(report.level)} interval`]} rows={report.coefficients.map(({ name, value, std_err }) => [name, number(value), number(std_err), interval(report, value, std_err)])} /> : <p class="lead">None beside the worths.</p>}
        <h3>Ties</h3>
        <p class="lead">Share of tied pairs, as counted and as the fit expects it.</p>
        <TieBar name="Counted" kind="counted" share={report.ties_observed} />
        <TieBar name="Fitted" kind="fitted" share={report.ties_expected} />
      </section>
      {s.pairs ? <FitPairs report={report} pairs={s.pairs} /> : <p class="lead" role="status">{s.noPairs || "Asking the server…"}</p>}
    </div>
  );
}

/** interval has the half width that the board gives an item of that standard error. */
function interval(report: Report, value: number, error: number): string {
  const one = report.items.find((item) => item.std_err > 0);
  if (!one || !(error > 0)) return "";
  const half = ((one.high - one.low) / 2 / one.std_err) * error;
  return `${number(value - half)} to ${number(value + half)}`;
}

function facts(report: Report): [string, string][] {
  const rows: [string, string][] = [
    ["Likelihood", likelihoods[report.likelihood] ?? report.likelihood],
    ["Log likelihood", report.log_likelihood === null ? "not known" : number(report.log_likelihood, 1)],
    ["Mean negative log likelihood of a vote", report.mean_nll === null ? "not known" : number(report.mean_nll)],
    ["Parameters", whole(report.parameters)],
  ];
  if (report.slot_nll != null) rows.push(["Mean negative slot log likelihood of a vote", number(report.slot_nll)]);
  if (report.deviance != null && report.degrees != null) rows.push(["Deviance against the saturated model", `${whole(report.deviance)} on ${whole(report.degrees)} degrees`]);
  rows.push(["Sample space", spaces[report.space] ?? report.space], ["Standard errors", errorNames[report.errors] ?? report.errors], ["Told apart beyond", `${report.critical.toFixed(2)} standard errors`]);
  if (report.prior) rows.push(["Prior, standard deviation or strength", String(Number(report.prior.toPrecision(4)))]);
  return rows;
}

function TieBar({ name, kind, share }: { name: string; kind: string; share: number }): JSX.Element {
  return (
    <div class={`tieBar ${kind}`}>
      <span>{name}</span>
      <div class="track"><span style={{ width: `${100 * share}%` }} /></div>
      <b>{(100 * share).toFixed(1)}%</b>
    </div>
  );
}

function FitPairs({ report, pairs }: { report: Report; pairs: Pairs }): JSX.Element {
  const { asTable, toggle } = useTable();
  const bins = calibration(pairs);
  const all = residuals(pairs);
  const off = all.filter((one) => one.square > 9.21).length; // the 1% point of chi-square with two degrees
  const name = (i: number): string => nameOf(report.items[i]);
  const percents = (parts: readonly number[]): string => shares(parts).map(percentText).join(" / ");
  return (
    <Fragment>
      <section class="panel" aria-labelledby="honest-title">
        <header><h2 id="honest-title">When the fit says 70%, do 70% of the votes?</h2>{toggle}</header>
        <p class="lead">Pairs gathered by the share of wins that the fit expects in the votes in which they met; the stroke is a 95% interval. These votes made the fit: they show its form, not what it would predict.</p>
        {asTable ? <Table caption="Counted against fitted" head={["Expected", "Counted", "95% interval", "Votes"]} rows={bins.map((bin) => [percent(bin.p), percent(bin.observed), `${percent(bin.low)} to ${percent(bin.high)}`, whole(bin.count)])} /> : <CalibrationPlot bins={bins} words={{ said: "fitted", happened: "counted", honest: "as fitted", counts: "number of votes" }} />}
      </section>
      <section class="panel residuals" aria-labelledby="residuals-title">
        <header><h2 id="residuals-title">Where it fits worst</h2></header>
        <p class="lead">{whole(off)} of {whole(all.length)} pairs that met are further off than 1 in 100 would be by chance ({whole(Math.round(all.length / 100))} expected). Shares are win / tie / loss, expected in the votes in which they met.</p>
        <Table caption="Pairs with the largest residuals" head={["Pair", "Votes", "Counted", "Expected", "Chi-square"]} rows={all.slice(0, 25).map(({ i, j, counted, fitted, square }) => [`${name(i)} – ${name(j)}`, whole(counted[0] + counted[1] + counted[2]), percents(counted), percents(fitted), square.toFixed(1)])} />
      </section>
    </Fragment>
  );
}
