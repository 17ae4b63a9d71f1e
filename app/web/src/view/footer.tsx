// The foot of every page: which program, which model, and where the API is described.
import { h, type JSX } from "preact";
import type { ModelFacts } from "../types";

export function Footer({ model }: { model: ModelFacts | null }): JSX.Element {
  const f = model?.facts;
  return (
    <footer class="foot caption">
      <span>fubini{f?.version ? ` ${f.version}` : ""}{f?.fingerprint ? ` · model ${f.fingerprint.slice(0, 12)}…` : ""}</span>
      <a href="/docs">API and documentation</a>
    </footer>
  );
}
