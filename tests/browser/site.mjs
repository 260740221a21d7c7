// The website in a real browser: node site.mjs SITE HOSTILE SCRATCH RECORDS WRITTEN MOVED PAGED ROUNDS
//
// SITE is a built site, HOSTILE one whose records are attacks, SCRATCH an empty folder for copies
// into which faults are planted, RECORDS what SITE was made of, WRITTEN a site whose figures are written
// in many ways, MOVED the same with other rows, PAGED one whose list of rows has several pages, ROUNDS one with a round of MLPerf. tests/cli/build/browser.sh builds them and says where Chromium is.
// Of each kind of page, in each language, the heaviest is looked at; of attacks every page.
import fs from "node:fs";
import path from "node:path";
import * as behaviour from "./behaviour.mjs";
import { serve, start } from "./browser.mjs";
import * as checks from "./checks.mjs";
import * as figures from "./figures.mjs";
import { every, files, sample } from "./pages.mjs";
import { attacks_to_plant, faults_to_plant, planted, two_of_each } from "./planted.mjs";
import * as rows from "./rows.mjs";
import { each, plan, told } from "./tap.mjs";

const [site, hostile, scratch, records, written, moved, paged, rounds] = process.argv.slice(2).map((p) => fs.realpathSync(p));
const began = Date.now(), lap = (what) => process.env.TIMES && console.log(`# ${Date.now() - began} ms: ${what}`);
const browser = await start();
// A browser that ended itself says nothing about the site: browser.sh tries once more on 70.
process.on("uncaughtException", (e) => { console.log(`# ${e.stack ?? e}`.replace(/\n/g, "\n# ")); process.exit(browser.isConnected() ? 1 : 70); });
const places = sample(site), kinds = new Set(places.map((p) => p.kind));
const headed = places.filter((p) => p.lang !== "both"), feeds = (root) => files(root).filter((f) => /(\.atom|sitemap\.xml)$/.test(f));
const valid = checks.validator(JSON.parse(fs.readFileSync(new URL("htmlvalidate.json", import.meta.url), "utf-8")));
const server = await serve(site, "/some/where/"), result = headed.find((p) => p.kind === "result" && p.lang === "en");

const expected = ["home", "results", "directory", "result", "gone", "vendor", "accelerator", "model", "compare", "pair", "references", "reference", "rules", "method", "changes",
  "withdrawn", "about", "search", "index", "404"];
told(`${places.length} pages, every kind`, expected.filter((k) => !kinds.has(k)).map((k) => `no page of kind ${k} among ${[...kinds]}`));

// Each look at each page; the pages are opened once for all of them.
async function looks(root, list, of) {
  const told_by = of.map(() => []), wanted = (p) => of.filter(([, , only]) => !only || only(p));
  for (const { p, told: faults } of await each(list, async (p) => [{ p, told: await checks.looked_at(browser, root, p, wanted(p).map(([, look]) => look)) }])) {
    wanted(p).forEach((look, i) => told_by[of.indexOf(look)].push(...faults[i]));
  }
  of.forEach(([what], i) => told(what, told_by[i]));
  lap(of[0][0]);
}
const look = async (what, list, check) => { told(what, await each(list, check)); lap(what); };
const english = (p) => p.lang !== "zh"; // the order of Tab and the head are those of the template

await looks(site, places, [
  ["from a folder: no complaint, nothing from elsewhere, every link leads somewhere", checks.links],
  ["360 px: a result is not too long as it is opened", checks.short, (p) => p.kind === "result"], // before others open what is folded
  ["Tab reaches everything, in order and seen", checks.tab, english],
  ["360 and 320 px: the page does not scroll sideways", checks.narrow],
  ["360 px: words and signs are whole", checks.whole, (p) => p.lang === "en"],
  ["768 to 1440 px: no list goes on beyond its edge", checks.roomy, (p) => ["home", "results", "vendor", "model", "accelerator"].includes(p.kind)],
  ["360 px: every target is large enough for a finger", checks.targets, (p) => p.lang !== "zh"], // sizes are those of the style sheet
  ["on paper: light, complete, framed, within its edges", checks.printed, (p) => p.lang === "zh" || p.kind === "result"],
  ["axe finds nothing, light and dark", checks.axe], // the last: it leaves little of the page
]);
await looks(site, headed.filter((p) => ["home", "result"].includes(p.kind)), [["the link over the head is seen and works", checks.skips]]);
await look("over http below a path: no complaint, nothing from elsewhere", places.filter((p) => p.here !== "404.html"), (p) => checks.served(browser, server.base, p));
await look("without a script the tables are there and nothing waits for one", places, (p) => checks.scriptless(browser, site, p));
await look("html-validate finds nothing", places, async (p) => valid(p));
told("over http below a path searching, comparing and sorting go on from page to page", await behaviour.below(browser, site, server.base));
told("a bundle that is downloaded gives the page's verdict by the command beside it", await behaviour.repeating(browser, site, server.base, scratch));
for (const [what, check] of [["sorting", behaviour.sorting], ["filtering", behaviour.filtering], ["searching", (b, s) => behaviour.searching(b, s, records)],
  ["choosing among rules", behaviour.ruling], ["comparing", behaviour.comparing], ["reading a chart", (b, s) => behaviour.charts(b, s, result)], ["choosing colours", behaviour.colours], ["a box to tick", behaviour.boxes], ["folding rules", behaviour.rules]]) {
  told(`${what} does what it says`, await check(browser, site));
  lap(what);
}
told("what sorts and compares is the number that the verifier read", await figures.numbers(browser, written));
told("contradicted figures are compared with nothing", await figures.contradicted(browser, written));
told("a doubted figure is compared with its mark, other recomputation is said", await figures.doubted(browser, written));
told("where there is no factor, or one of sizes, it is said why", await figures.reasons(browser, written, moved));
told("the first click on a column puts the best or the newest first", await figures.first_click(browser, written));
told("a row in an address is found where it is now, or said to be gone", await figures.moved(browser, written, moved));
told("the other language shows the same rows", await figures.languages(browser, written));
told("bars stand in the order of the table that somebody sorted", await rows.moving(browser, written));
told("one bar filters all tables of a model", await rows.of_a_model(browser, written));
told("of many rows that are found those that are seen are drawn", await rows.windowed(browser, paged));
told("a round of MLPerf is filtered, sorted, and shows the columns that are wanted", await rows.of_a_round(browser, rounds));
const of_rounds = sample(rounds).filter((p) => p.kind.startsWith("mlperf"));
told("pages of MLPerf, every kind", ["mlperf", "mlperf_round", "mlperf_bench", "mlperf_org", "mlperf_score"].filter((k) => !of_rounds.some((p) => p.kind === k)));
await looks(rounds, of_rounds, [
  ["MLPerf from a folder: no complaint, nothing from elsewhere, every link leads somewhere", checks.links],
  ["MLPerf, 360 and 320 px: the page does not scroll sideways", checks.narrow],
  ["MLPerf: axe finds nothing, light and dark", checks.axe],
]);
await look("MLPerf: html-validate finds nothing", of_rounds, async (p) => valid(p));
told("feeds and site map have what they must", await checks.feeds(browser, site, feeds(site)));

const attacked = every(hostile);
await looks(hostile, attacked, [
  ["records that are attacks: no dialog, no complaint, every link leads somewhere", checks.links],
  ["nothing of them became an element, a handler or an address", checks.inert],
  ["their rows leave the columns of lists in view", checks.roomy, (p) => p.kind === "results"],
  ["their pages do not scroll sideways at 360 and 320 px", checks.narrow],
]);
await look("html-validate finds nothing in them, either", attacked, async (p) => valid(p));

const plants = (of, list) => planted(of, path.join(scratch, path.basename(of)), list);
for (const { what, faults } of [...await plants(site, two_of_each(faults_to_plant({ browser, valid, feeds, result, records }))), ...await plants(hostile, attacks_to_plant({ browser, valid }))]) {
  told(`planted: ${what}`, faults.length ? [] : ["nobody saw it"]);
  if (process.env.TIMES) console.log(`# ${faults[0]}`);
}
lap("planted");
plan();
server.close();
await browser.close();
