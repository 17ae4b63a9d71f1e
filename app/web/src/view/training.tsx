// Training now: for admins, who come by a link and bring their key. Everybody else is told so, and nothing more.
import { h, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { follow } from "../app/job";
import type { State } from "../app/state";
import { seconds } from "../logic/words";

export function TrainingNow({ s, job }: { s: State; job: string }): JSX.Element {
  const [key, setKey] = useState(""); // in memory alone: it goes with the page
  useEffect(() => (key ? follow(job, key) : undefined), [job, key]);
  const words = sentence(s.training);
  return (
    <section class="panel training" aria-labelledby="training-title">
      <h2 id="training-title">Training now</h2>
      <p class={s.training?.state === "running" ? "pencil" : undefined} role="status">{words}</p>
      {(!key || s.training?.state === "refused") && <KeyForm take={setKey} />}
    </section>
  );
}

function sentence(t: State["training"]): string {
  switch (t?.state) {
    case undefined:
      return "Only admins can follow a training, with their key. It stays in this tab and is kept nowhere.";
    case "asking":
      return "Asking the server…";
    case "none":
      return "Nothing is training.";
    case "refused":
      return "That key is no admin's.";
    case "waiting":
      return "Waiting for its next epoch.";
    case "lost":
      return "The server does not answer. We try again.";
    case "running":
      return `Epoch ${t.epoch} of ${t.epochs}, about ${seconds(Math.max(1, Math.round(t.left)))} left`;
    case "ended":
      return { done: "Done. What is below is the new model.", cancelled: "It was cancelled. The old model goes on.", interrupted: "It was interrupted. The old model goes on." }[t.how] ?? `It failed: ${t.failure || "the server's log says why"}. The old model goes on.`;
  }
}

function KeyForm({ take }: { take: (key: string) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take(""); // the same key again is asked again
        requestAnimationFrame(() => take(input.current?.value.trim() ?? ""));
      }}
    >
      <input ref={input} type="password" aria-label="Admin key" placeholder="Admin key" autoComplete="off" required />
      <button type="submit" class="outlined">Follow</button>
    </form>
  );
}
