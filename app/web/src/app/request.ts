// One request to the server. Every request stays on this origin.

/** Failure is a request that came to nothing. Status 0: no answer at all. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly after: number, // seconds to wait, as Retry-After says; 0 when it says nothing
    detail: string,
    readonly etag = "",
  ) {
    super(detail);
  }
}

/** send is a request as it is: without the key of this tab. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Failure(0, 0, "no answer");
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as { detail?: string; title?: string } | null;
  const after = Number(response.headers.get("Retry-After")) || 0;
  throw new Failure(response.status, after, problem?.detail ?? problem?.title ?? response.statusText, response.headers.get("ETag") ?? "");
}

/** bearer shows a key. */
export const bearer = (key: string, signal?: AbortSignal): RequestInit => ({ headers: { Authorization: `Bearer ${key}` }, cache: "no-store", signal });

/** wrongKey asks for something small that needs a key, and says what is wrong with it, or "". */
export async function wrongKey(key: string): Promise<string> {
  const wrong = "The server does not accept this key. Look for a typing error; it may also have expired or been revoked.";
  if (!/^[!-~]+$/.test(key)) return wrong; // no header can carry it
  try {
    await send("/v1/items?limit=1", bearer(key));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 401) return wrong;
    if (error.status === 403) return "This key is good, but it may not read here. Ask for one with the scope read.";
    if (error.status === 429) return "Too many tries. Wait a moment, then try again.";
    return "The server does not answer right now. Try again in a moment.";
  }
  return "";
}
