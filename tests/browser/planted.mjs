// Faults put into copies of pages, one at a time: what each check then tells.
import fs from "node:fs";
import path from "node:path";
import * as behaviour from "./behaviour.mjs";
import { serve } from "./browser.mjs";
import * as checks from "./checks.mjs";
import { page } from "./pages.mjs";
import { until_the_first } from "./tap.mjs";

// What is planted, in which file of the site, and the check that must tell it.
export function faults_to_plant({ browser, valid, feeds, result, records }) {
  const loads = (root, p) => checks.alone(checks.links)(browser, root, p), home = "en/index.html", rows = "en/results/index.html";
  const in_main = (html) => ["</main>", `${html}</main>`];
  const by = (look, check) => Object.assign(check, { look }), sees = (look) => by(look, (root, p) => checks.alone(look)(browser, root, p));
  const on = (check) => by(check, (root, p) => check(browser, root, p)), whole = (check) => by(check, (root) => check(browser, root, records, ["en"], 1));
  return [
    ["an error of the script", "site.js", ["\"use strict\";", "throw new Error('planted');"], home, loads],
    ["a script that the policy stops", home, in_main("<script>1</script>"), home, loads],
    ["a request to elsewhere", home, in_main("<img alt=\"\" src=\"https://elsewhere.example/x.svg\">"), home, loads],
    ["a file that is not there", home, ["style.css", "stile.css"], home, loads],
    ["a dead link", home, in_main("<a href=\"nowhere.html\">x</a>"), home, loads],
    ["a dead anchor", home, in_main("<a href=\"#nowhere\">x</a>"), home, loads],
    ["a dead link to evidence", result.here, ["/evidence/", "/evidenz/"], result.here, loads],
    ["an absolute path", home, ["href=\"../style.css\"", "href=\"/style.css\""], home, served],
    ["grey on grey in light", "style.css", [/$/, "\nmain p { color: #ccc !important; background: #ddd !important; }"], home, sees(checks.axe)],
    ["grey on grey in dark", "style.css", [/$/, "\n@media (prefers-color-scheme: dark) { main p { color: #555 !important; background: #444 !important; } }"], home, sees(checks.axe)],
    ["a field without a name", home, in_main("<input>"), home, sees(checks.axe)],
    ["a page that is too wide", home, in_main("<p class=\"planted\">x</p>"), home, sees(checks.narrow), "\n.planted { width: 500px; max-width: none; }"],
    ["a page that is too wide for the smallest", home, in_main("<p class=\"planted\">x</p>"), home, sees(checks.narrow), "\n.planted { width: 320px; max-width: none; }"],
    ["figures over each other", "style.css", [/$/, "\n.rows tbody td.number { min-width: 0; } .rows td .mark { display: inline-block; min-width: 16rem; }"], rows, sees(checks.narrow)],
    ["words that are broken", "style.css", [/$/, "\n.rows .conf { word-break: break-all; }"], rows, sees(checks.whole)],
    ["a sign on a line of its own", "style.css", [/$/, "\n.mark > i { display: block; }"], rows, sees(checks.whole)],
    ["text that moves its neighbours", "style.css", [/unicode-bidi: isolate/, "unicode-bidi: normal"], home, sees(checks.inert)],
    ["targets that no finger hits", home, in_main("<p><button>x</button><button>y</button></p>"), home, sees(checks.targets), "\n.page-home main button { padding: 0; border: 0; font-size: 8px; line-height: 8px; min-height: 0; }"],
    ["a dark page on paper", "style.css", ["@media screen and (prefers-color-scheme: dark) {", "@media (prefers-color-scheme: dark) {"], home, sees(checks.printed)],
    ["heads that are not repeated on paper", "style.css", ["th button { display: contents; }", ""], rows, sees(checks.printed)],
    ["small words in a tall drawing", "style.css", ["max-height: 132mm", "max-height: 60mm"], result.here, sees(checks.printed)],
    ["a count that is not printed", "style.css", [".badge, .findings.quiet {", ".badge, details:has(> .findings.quiet) {"], result.here, sees(checks.printed)],
    ["a drawing as tall as a sheet", "style.css", [".drawing .chart { max-width: 140mm; max-height: 132mm; }", ".chart { min-height: 140mm; }"], result.here, sees(checks.printed)],
    ["a result that is scrolled for ever", result.here, [/<details>/g, "<details open>"], result.here, sees(checks.short)],
    ["rows that wait for a script", "style.css", [/$/, "\ntbody { display: none; }"], rows, on(checks.scriptless)],
    ["a search that nothing does", "style.css", [":root:not(.live) .scripted, ", ""], "en/search/index.html", on(checks.scriptless)],
    ["a button that waits for a script", home, in_main("<button type=\"button\">x</button>"), home, on(checks.scriptless)],
    ["a focus that nobody sees", "style.css", [/$/, "\n:focus-visible { outline: none !important; }"], home, sees(checks.tab)],
    ["a jump in the order of Tab", home, in_main("<a href=\"index.html\" tabindex=\"1\">x</a>"), home, sees(checks.tab)],
    ["a link over the head that stays hidden", "style.css", [/$/, "\n.skip:focus { left: -100vw; }"], home, sees(checks.skips)],
    ["a list item outside of a list", home, in_main("<li>x</li>"), home, (root, p) => valid(p)],
    ["a sorting the wrong way", "site.js", ["(down ? -1 : 1)", "(down ? 1 : -1)"], rows, whole(behaviour.sorting)],
    ["a list that sorts the other way than the heads", "site.js", ["at.value[0] === \"-\"", "at.value[0] !== \"-\""], rows, whole(behaviour.sorting)],
    ["no way to sort cards", "style.css", [".sorting { display: flex;", ".sorting { display: none;"], rows, whole(behaviour.sorting)],
    ["a card without directions", "style.css", [/attr\(data-arrow\)/g, "\"\""], rows, sees(checks.narrow)],
    ["a name of a figure that is cut", "style.css", ["{ min-height: 2.6em; }", "{ height: 2.6em; overflow: hidden; }"], rows, sees(checks.narrow)],
    ["a table where it has no room", "style.css", [/\(max-width: 63\.5rem\)/g, "(max-width: 45rem)"], rows, sees(checks.roomy)],
    ["a sorting over all cases", "site.js", ["if (x.group !== y.group)", "if (false)"], rows, whole(behaviour.sorting)],
    ["a sorting without lines", "site.js", ["row.among !== before.among", "false"], rows, whole(behaviour.sorting)],
    ["a default in the address", "site.js", ["if (kept[k]) q.set", "q.set"], rows, whole(behaviour.filtering)],
    ["a filter that forgets the state", "site.js", ["[\"state\", \"vendor\", \"model\", \"accelerator\"].every", "[\"vendor\", \"model\", \"accelerator\"].every"], rows, whole(behaviour.filtering)],
    ["a search for any word instead of all", "site.js", ["wanted.every(function (w) {\n      var n", "wanted.some(function (w) {\n      var n"], rows, whole(behaviour.searching)],
    ["a search that loses Chinese", "site.js", ["return text.toLowerCase().split(/\\s+/)", "return text.toLowerCase().replace(/[^a-z0-9 .*<>-]/g, '').split(/\\s+/)"], rows, whole(behaviour.searching)],
    ["a search that knows one name", "site.js", [".concat(vendor, model, card, title, state,", ".concat("], rows, whole(behaviour.searching)],
    ["a search that takes texts for numbers of cards", "site.js", ["return c.slice(1).join", "return ((c[0] || '').replace(/(\\d+) (\\d+)/, '#$1node #$2card') + c.slice(1)) || c.join"], rows, whole(behaviour.searching)],
    ["a search for cards that reads no text", "site.js", ["|| new RegExp(\"(^|", "&& new RegExp(\"(^|"], rows, whole(behaviour.searching)],
    ["a filter that lists ids", "site.js", ["return row.dataset.name;", "return row.dataset.model;"], rows, whole(behaviour.filtering)],
    ["a search that puts the farthest first", "site.js", ["a.rank - b.rank ||", "b.rank - a.rank ||"], rows, whole(behaviour.searching)],
    ["results of all states in one order", "site.js", ["a.r.order - b.r.order ||", ""], rows, whole(behaviour.searching)],
    ["a search that knows no result that is gone", "site.js", ["return (parts[2] || []).map", "return (parts[2] || []).filter(function (r) { return +r[2] < 5; }).map"], rows, whole(behaviour.searching)],
    ["every result as an element", "site.js", ["hits.slice(0, SHOWN)", "hits"], rows, whole(behaviour.searching)],
    ["rules that the filter leaves", "site.js", ["i.e.hidden = !holds(i.text, wanted)", "i.e.hidden = false"], rows, whole(behaviour.ruling)],
    ["a search that forgets where the site is", "site.js", ["href: document.body.dataset.root + \"result/\"", "href: \"/en/result/\""], rows, below],
    ["a search that knows no configuration", "site.js", ["r[5].split", "\"\".split"], rows, whole(behaviour.searching)],
    ["a count of what the filter hides", "site.js", ["e.textContent = n === of ?", "e.textContent = true ?"], rows, whole(behaviour.filtering)],
    ["a figure alone below the others", "style.css", ["[data-unit^=\"token\"] { flex-basis: 27%; }", "[data-unit^=\"token\"] { flex-basis: 47%; }"], rows, whole(behaviour.filtering)],
    ["a rule that no link opens", "style.css", ["article:target > details::details-content", "article > details::details-contents"], rows, (root) => behaviour.rules(browser, root)],
    ["no word about boxes", "style.css", ["content: attr(data-tick)", "content: none"], rows, (root) => behaviour.boxes(browser, root)],
    ["the word beside each box", "style.css", [".rows .pick::after { content: none; }", ""], rows, (root) => behaviour.boxes(browser, root)],
    ["a first click on colours that changes nothing", "site.js", ["=== \"dark\" ? \"light\" : \"dark\"", "=== \"dark\" ? \"dark\" : \"dark\""], rows, (root) => behaviour.colours(browser, root)],
    ["figures of another row", "site.js", ["chosen.push(key)", "chosen.unshift(key)"], rows, whole(behaviour.comparing)],
    ["a factor of what may not be compared", "site.js", ["return a.group === b.group", "return true"], rows, (root) => behaviour.apart(browser, root)],
    ["a comparison that the address does not know", "site.js", ["wanted = (asked.get(\"compare\") || \"\")", "wanted = \"\""], rows, whole(behaviour.comparing)],
    ["an entry without a date", "en/feed/results.atom", [/<updated>.*?<\/updated>/g, ""], home, (root) => checks.feeds(browser, root, feeds(root))],
    ["a feed that is no XML", "en/feed/results.atom", ["</feed>", ""], home, (root) => checks.feeds(browser, root, feeds(root))],
    ["a handler", home, in_main("<p onclick=\"zqx()\">x</p>"), home, sees(checks.inert)],
    ["an image of a record", home, in_main("<img alt=\"\" src=\"../icon.svg\">"), home, sees(checks.inert)],
    ["an address with a script", home, in_main("<a href=\"javascript:zqx()\">x</a>"), home, sees(checks.inert)],
    ["text in the other direction", home, in_main("<p>\u202ex</p>"), home, sees(checks.inert)],
  ];
  async function below(root) {
    const server = await serve(root, "/some/where/");
    try { return await behaviour.below(browser, root, server.base); } finally { server.close(); }
  }
  async function served(root, p) {
    const server = await serve(root, "/some/where/");
    try { return await checks.served(browser, server.base, p); } finally { server.close(); }
  }
}

// Two faults for each look; all of them with LONG (`make check-long`).
export function two_of_each(faults) {
  const seen = new Map(), nth = (key) => seen.set(key, (seen.get(key) ?? 0) + 1).get(key);
  return process.env.LONG ? faults : faults.filter(([, , , , check]) => nth(check.look ?? check) <= 2);
}

function spoil(file, [from, to]) {
  const text = fs.readFileSync(file, "utf-8"), spoilt = text.replace(from, to);
  if (spoilt === text) throw new Error(`${file}: nothing to replace: ${from}`);
  fs.writeFileSync(file, spoilt);
  return () => fs.writeFileSync(file, text);
}

// What a record says, as it would stand in a page that did not escape it, and every look that must see it there.
export function attacks_to_plant({ browser, valid }) {
  const here = "en/result/acme/toy/index.html", lists = "zh/results/index.html", inert = (root, p) => checks.alone(checks.inert)(browser, root, p);
  const out = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return [
    ["an attack that ends its table: html-validate", here, [/&lt;\/td&gt;.*?&lt;h1&gt;zqx/, out], here, (root, p) => valid(p)],
    ["an attack that ends its table, in a list: html-validate", lists, [/>&lt;\/td&gt;.*?&lt;h1&gt;zqx/, out], lists, (root, p) => valid(p)],
    ["a script of a record", here, [/&lt;script&gt;/, out], here, inert],
    ["a script of a record, in a list", lists, [/&lt;script&gt;/, out], lists, inert],
  ];
}

export async function planted(site, root, faults) {
  const told = [];
  until_the_first();
  fs.cpSync(site, root, { recursive: true });
  for (const [what, file, change, here, check, style] of faults) {
    const undo = [spoil(path.join(root, file), change)];
    if (style) undo.push(spoil(path.join(root, "style.css"), [/$/, style]));
    told.push({ what, faults: await check(root, page(root, here)) });
    undo.forEach((back) => back());
  }
  return told;
}
