// The service worker: the page opens without its server. Everything is asked of the server first; what it does not answer
// comes from what was kept. Lists are on the device anyway; answers to a request with a key are not kept.
export {};

const here = self as unknown as {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener: (kind: string, call: (event: WorkerEvent) => void) => void;
};

interface WorkerEvent extends Event {
  request: Request;
  waitUntil: (work: Promise<unknown>) => void;
  respondWith: (answer: Promise<Response>) => void;
  addRoutes?: (rule: { condition: { requestMethod: string }; source: "network" }) => Promise<void>;
}

const kept = "fubini-1";

/** page is what the page is made of: the document, and every file of this server that it names. */
async function page(): Promise<string[]> {
  const answer = await fetch("/");
  const text = await answer.text();
  return ["/", ...Array.from(text.matchAll(/(?:src|href)="([\w.-]+\.\w+)"/g), (found) => new URL(found[1], new URL("/", location.href)).pathname)];
}

/** keepable are the page's own files, and what the catalogue and the model are. */
function keepable(request: Request): boolean {
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.has("Authorization")) return false;
  return !pathname.startsWith("/v1/") || (pathname === "/v1/items" && !searchParams.has("q")) || pathname === "/v1/model";
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(kept);
  const key = request.mode === "navigate" ? "/" : request;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(key, fresh.clone()).catch(() => undefined); // a full device keeps nothing
    return fresh;
  } catch (error) {
    const old = await cache.match(key);
    if (old) return old;
    throw error;
  }
}

here.addEventListener("install", (event) => {
  // What is sent to the server is never kept: it goes there without waking this worker, where the browser can do that.
  void event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" }).catch(() => undefined);
  event.waitUntil(
    (async () => {
      const cache = await caches.open(kept);
      await cache.addAll([...new Set(await page())]);
      await here.skipWaiting();
    })(),
  );
});
here.addEventListener("activate", (event) => event.waitUntil(here.clients.claim()));
here.addEventListener("fetch", (event) => {
  const { request } = event;
  if (keepable(request) && (request.mode !== "navigate" || new URL(request.url).pathname === "/")) event.respondWith(answer(request));
});
