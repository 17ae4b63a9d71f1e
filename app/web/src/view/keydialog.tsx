// The dialog of a server that asks for an API key.
import { h, type JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { say } from "../app/announce";
import { Head, Sheet } from "./sheet";

const title = "This server asks for an API key";

interface Props {
  refused: boolean; // the key so far is good no longer
  unlock: (key: string) => Promise<string>; // what is wrong with a key, or ""
  close: () => void;
}

export function KeyDialog({ refused, unlock, close }: Props): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(refused ? "The server no longer accepts the key of this tab." : "");
  const [busy, setBusy] = useState(false);
  const give = async (): Promise<void> => {
    setBusy(true);
    setWrong("");
    const said = await unlock(input.current?.value.trim() ?? "");
    setBusy(false);
    if (said) {
      setWrong(said);
      input.current?.select();
      return;
    }
    close();
    say("Key accepted.");
  };
  return (
    <Sheet label={title} close={close}>
      <Head title={title} close={close} />
      <p class="bodyText">Whoever runs the server gives keys out. Yours stays in this tab until you forget it or close the tab, and goes to this server alone.</p>
      <form
        class="keyForm"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void give();
        }}
      >
        <label for="api-key">API key</label>
        <input id="api-key" ref={input} type="password" data-first="" autoComplete="off" spellcheck={false} required aria-invalid={wrong !== ""} aria-describedby="api-key-wrong" />
        <p id="api-key-wrong" class="wrong" role="alert">{wrong}</p>
        <div class="actions">
          <button type="submit" class="filled" disabled={busy}>Use this key</button>
          <button type="button" class="far" onClick={close}>Not now</button>
        </div>
      </form>
    </Sheet>
  );
}
