// Keeps the page at hand while Steward is away, and shows its notifications. It never touches calls or what they answer.
const cacheName = "steward-shell";
const shell = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && !isServed(url.pathname)) event.respondWith(openShell(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fromCacheFirst(request));
  else if (isFixedFile(url.pathname)) event.respondWith(fromNetworkFirst(request));
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = readPush(event);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: "/icons/steward-192.png",
      badge: "/icons/steward-badge.png",
      data: { url },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openAt(ownPath(event.notification.data?.url)));
});

// pages of the server itself, such as downloads and metrics, are not pages of this window
function isServed(path) {
  return /^\/(api|v1|ws|health|metrics)(\/|$)/.test(path);
}

function isFixedFile(path) {
  return path === "/theme.js" || path === "/manifest.webmanifest" || path.startsWith("/icons/");
}

async function keepShell() {
  const cache = await caches.open(cacheName);
  await cache.add(new Request(shell, { cache: "reload" }));
}

// a new build is used at once; the kept page is only for when nobody answers
async function openShell(request) {
  try {
    const response = await fetch(request);
    if (response.ok) await replaceShell(response.clone());
    return response;
  } catch {
    // nobody answers: the kept page says so by itself
    return (await caches.match(shell)) ?? Response.error();
  }
}

// another page means another build, and the files of the old one are not asked for again
async function replaceShell(response) {
  if (!response.headers.get("content-type")?.startsWith("text/html")) return;
  const cache = await caches.open(cacheName);
  const [before, now] = await Promise.all([cache.match(shell).then((kept) => kept?.text()), response.clone().text()]);
  if (before !== now) {
    for (const kept of await cache.keys()) {
      if (new URL(kept.url).pathname.startsWith("/assets/")) await cache.delete(kept);
    }
  }
  await cache.put(shell, response);
}

async function fromCacheFirst(request) {
  return (await caches.match(request)) ?? fetchAndKeep(request);
}

async function fromNetworkFirst(request) {
  try {
    return await fetchAndKeep(request);
  } catch {
    // nobody answers
    return (await caches.match(request)) ?? Response.error();
  }
}

async function fetchAndKeep(request) {
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(cacheName);
    await cache.put(request, response.clone());
  }
  return response;
}

function readPush(event) {
  const fallback = { title: "Steward", body: "Something waits for your answer.", url: "/inbox", tag: "steward" };
  try {
    const payload = event.data?.json() ?? {};
    const words = (name) =>
      typeof payload[name] === "string" && payload[name] !== "" ? payload[name] : fallback[name];
    return { title: words("title"), body: words("body"), url: words("url"), tag: words("tag") };
  } catch {
    // a browser shows a warning of its own when a push shows nothing, so something is always shown
    return fallback;
  }
}

function ownPath(url) {
  if (typeof url !== "string" || !URL.canParse(url, self.location.origin)) return "/inbox";
  const target = new URL(url, self.location.origin);
  return target.origin === self.location.origin ? target.pathname + target.search : "/inbox";
}

async function openAt(path) {
  const [open] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open) return self.clients.openWindow(path);
  open.postMessage({ type: "go", url: path });
  return open.focus();
}
