// The pages of a built site, all of them, or by kind (<body class="page-KIND">) in each language the heaviest of it.
import fs from "node:fs";
import path from "node:path";

export function files(root) {
  return fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((e) => e.isFile())
    .map((e) => path.join(e.parentPath ?? e.path, e.name)).sort();
}

export function every(root) {
  return files(root).filter((f) => f.endsWith(".html")).map((file) => {
    const text = fs.readFileSync(file, "utf-8"), here = path.relative(root, file);
    const lang = /^(zh|en)\//.exec(here)?.[1] ?? "both", kind = /<body class="page-([^"]*)"/.exec(text)?.[1] ?? "none";
    return { kind: lang === "both" ? path.basename(here, ".html") : kind, lang, file, here, size: text.length };
  });
}

export function sample(root) {
  const heaviest = new Map();
  for (const p of every(root)) {
    const name = `${p.lang} ${p.kind}`, seen = heaviest.get(name);
    if (!seen || seen.size < p.size) heaviest.set(name, p);
  }
  return [...heaviest.values()];
}

export function page(root, here) {
  return { kind: here, lang: here.slice(0, 2), file: path.join(root, here), here };
}

const anchors = new Map();
function ids(file) {
  const key = `${file} ${fs.statSync(file).mtimeMs}`;
  if (!anchors.has(key)) {
    anchors.set(key, new Set([...fs.readFileSync(file, "utf-8").matchAll(/\sid="([^"]*)"/g)].map((m) => m[1])));
  }
  return anchors.get(key);
}

// A link of a page that was read from a folder leads to a file within the site, and to its anchor.
export function leads(root, href) {
  const url = new URL(href);
  if (["http:", "https:", "mailto:"].includes(url.protocol)) return [];
  if (url.protocol !== "file:") return [`link to ${href}`];
  const file = decodeURIComponent(url.pathname), fragment = decodeURIComponent(url.hash.slice(1));
  if (!file.startsWith(root + "/")) return [`${href} leads out of the site`];
  if (!fs.existsSync(file) || !fs.statSync(file).isFile()) return [`${href} leads nowhere`];
  return fragment && !ids(file).has(fragment) ? [`${href} has no such anchor`] : [];
}
