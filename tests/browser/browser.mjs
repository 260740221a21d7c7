// Chromium, its pages under watch, and a server that knows the site below one path only.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The modules lie where tests/cli/build/browser.sh installed them.
export const need = createRequire(path.join(process.env.BROWSER_MODULES, "x.js"));

const PATIENCE_MS = 180_000; // how long other tests may keep the processors busy

export async function start() {
  // Without user namespaces, as for root in a container, Chromium has no sandbox. All it reads is ours.
  return need("playwright-core").chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: PATIENCE_MS });
}

export const address = (file) => pathToFileURL(file).href;

// A page that tells what no page of ours may do: complain, ask for a dialog, load from elsewhere.
export async function watched(context, within) {
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage(), faults = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) faults.push(`console: ${m.text()}`); });
  page.on("pageerror", (e) => faults.push(`script: ${e.message}`));
  page.on("dialog", (d) => { faults.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on("requestfailed", (r) => { if (r.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${r.url()}`); }); // left behind by going on
  page.on("response", (r) => { if (r.status() >= 400) faults.push(`${r.status()}: ${r.url()}`); });
  page.on("request", (r) => { if (!r.url().startsWith(within)) faults.push(`request to ${r.url()}`); });
  return { page, faults };
}

// One context for all pages that are opened alike; nothing is kept in it but the choice of colours.
const contexts = new Map();

export async function with_page(browser, options, within, work) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) contexts.set(key, browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }));
  const { page, faults } = await watched(await contexts.get(key), within);
  try { return [...await work(page) ?? [], ...faults]; }
  catch (e) { return [e.message, ...faults]; }
  finally { await page.close(); }
}

const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
  ".json": "application/json", ".atom": "application/atom+xml", ".xml": "application/xml" };

export async function serve(root, below) {
  const server = http.createServer((request, answer) => {
    const asked = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = asked.startsWith(below) ? path.join(root, asked.slice(below.length)) : "";
    if (!file || !fs.existsSync(file) || !fs.statSync(file).isFile()) { answer.writeHead(404).end(); return; }
    answer.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
    answer.end(fs.readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { base: `http://127.0.0.1:${server.address().port}${below}`, close: () => server.close() };
}
