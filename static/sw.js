// Keeps the files of the app, by their content, and for each table the page it showed last. A page always comes from the
// server; the kept one is shown only where no answer comes, and says so. DIGEST and FILES stand before this.

const PATIENCE = 6000;
const TABLES = 5;
const NAME = `${registration.scope} ${DIGEST}`; // other apps may live on this address
const folder = `${registration.scope}static/`;

self.addEventListener("install", (event) => event.waitUntil(keepFiles().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(folder)) event.respondWith(file(request));
  else if (request.method === "GET" ? isTable(request.url) : isTable(request.referrer)) {
    if (request.method === "GET" || request.mode !== "navigate") event.respondWith(table(event));
  }
});

async function keepFiles() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((name) => new Request(folder + name, { cache: "reload" })));
}

async function dropOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`${registration.scope} `) && !name.startsWith(NAME)) await caches.delete(name);
  }
}

async function file(request) {
  return (await caches.match(request, { cacheName: NAME, ignoreSearch: true })) ?? fetch(request);
}

const isTable = (url) => url.startsWith(`${registration.scope}m/`) && /^[\w-]+$/.test(url.slice(registration.scope.length + 2));

/** The answer of the server. The page of a table is kept as it is now; one that is gone is kept no longer. */
async function table(event) {
  const { request } = event;
  const opens = request.mode === "navigate";
  const answer = fetch(request).then(sameFiles);
  event.waitUntil(answer.then((one) => keep(one.clone(), request)).catch(() => {}));
  if (!opens) return answer;
  const late = new Promise((_, stop) => setTimeout(stop, PATIENCE));
  return Promise.race([answer, late]).catch(async () => (await old(request.url)) ?? answer);
}

/** Drop the kept files before a page asks for them that was made for others; the worker that keeps those is on the way. */
async function sameFiles(answer) {
  if ((answer.headers.get("X-Files") ?? DIGEST) !== DIGEST) await caches.delete(NAME);
  return answer;
}

async function keep(answer, request) {
  if (!isTable(answer.url)) return;
  const cache = await caches.open(`${NAME} tables`);
  if (answer.ok) {
    await cache.delete(answer.url); // so that the newest is the last
    await cache.put(answer.url, answer);
    for (const one of (await cache.keys()).slice(0, -TABLES)) await cache.delete(one);
  } else if (request.method === "GET" && answer.status < 500 && answer.status !== 429) await cache.delete(answer.url);
}

/** The page kept last, marked as old from its first moment. */
async function old(url) {
  const found = await caches.match(url, { cacheName: `${NAME} tables` });
  if (!found) return undefined;
  const html = await found.text();
  const { headers } = found;
  return new Response(html.replace(/(id="offline"[^>]*) hidden/, `$1 data-at="${Date.parse(headers.get("date"))}"`), { headers });
}
