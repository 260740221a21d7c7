// What a reader does: sorts, filters, searches, compares, reads a chart. Expectations are computed
// here from what was written into the page or from data/index.json, not by the site's script.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { address, with_page } from "./browser.mjs";
import * as checks from "./checks.mjs";
import { differs, each } from "./tap.mjs";
import { page as place } from "./pages.mjs";

const LANGS = ["zh", "en"];
const opened = (browser, root, here, work, query = "") => with_page(browser, {}, address(root), async (page) => {
  await page.goto(address(path.join(root, here)) + query);
  return (await work(page)).map((f) => `${here}: ${f}`);
});

// Rows by body: a figure where there is one, the text, whether it is shown.
const rows = (page, column = 0) => page.evaluate((i) => [...document.querySelectorAll("table.rows tbody")].map((body) => ({
  state: body.dataset.state,
  rows: [...body.querySelectorAll("tr:not(.group)")].map((r) => ({
    text: r.textContent.replace(/\s+/g, " "), also: r.dataset.also, group: r.dataset.group ?? "", shown: r.checkVisibility(), line: parseFloat(getComputedStyle(r).borderTopWidth) > 1, vendor: r.dataset.vendor, model: r.dataset.model, accelerator: r.dataset.accelerator,
    rated: [...r.querySelectorAll("td.number")].some((c) => ["Throughput", "吞吐量", "MFU"].includes(c.dataset.label) && c.querySelector(".value")),
    figure: r.cells[i].querySelector(".none") ? null : parseFloat(r.cells[i].querySelector(".value")?.textContent.replaceAll(",", "") ?? "NaN"),
  })),
})), column);
const shown = async (page) => (await rows(page)).flatMap((b) => b.rows).filter((r) => r.shown).map((r) => r.text).sort();

// A figure is in order among the rows that may be compared, which stand together, with a line where
// others begin; what has none is behind all that have one.
function ordered(bodies, down) {
  return bodies.flatMap((b) => {
    const known = b.rows.filter((r) => r.figure !== null), groups = [...new Set(known.map((r) => r.group))], faults = [];
    faults.push(...differs(`groups of ${b.state}, together and in their order`, known.map((r) => r.group).filter((g, i, all) => g !== all[i - 1]), [...groups].sort()));
    for (const group of groups) {
      const figures = known.filter((r) => r.group === group).map((r) => r.figure);
      faults.push(...differs(`figures of ${b.state}, ${group}`, figures, [...figures].sort((x, y) => (down ? y - x : x - y))));
    }
    faults.push(...differs(`rows of ${b.state} that have no figure, behind the others`, b.rows.slice(0, known.length).filter((r) => r.figure === null).length, 0));
    const seen = b.rows.filter((r) => r.shown), among = seen.map((r) => (r.figure === null ? "" : r.group));
    return [...faults, ...differs(`lines of ${b.state}`, seen.map((r) => r.line), among.map((g, i) => i > 0 && g !== among[i - 1]))];
  });
}

export async function sorting(browser, root, records, langs = LANGS) {
  const RATE = 4;
  return each(langs, (lang) => opened(browser, root, `${lang}/results/index.html`, async (page) => {
    const before = await rows(page, RATE), head = page.locator("table.rows thead th").nth(RATE).locator("button"), faults = [];
    for (const [down, press] of [[true, () => head.click()], [false, async () => { await head.focus(); await page.keyboard.press("Enter"); }]]) {
      await press();
      const now = await rows(page, RATE);
      faults.push(...ordered(now, down), ...differs("states", now.map((b) => b.state), before.map((b) => b.state)));
      const same = (bodies) => bodies.map((b) => b.rows.map((r) => r.text).sort());
      faults.push(...differs("rows of each state", same(now), same(before)));
      faults.push(...differs("aria-sort", await page.locator("th[aria-sort]").evaluateAll((l) => l.map((e) => e.getAttribute("aria-sort"))), [down ? "descending" : "ascending"]));
      faults.push(...differs("its address", await query(page), down ? "?sort=-throughput" : "?sort=throughput"));
    }
    faults.push(...await sorting_cards(page, RATE));
    const comparable = before.some((b) => b.rows.some((r, i) => r.figure !== null && b.rows.some((o, k) => k !== i && o.group === r.group && o.figure !== null)));
    if (!comparable) faults.push("nothing to sort: no two rows with figures may be compared");
    return faults;
  })).then(async (faults) => [...faults, ...await opened(browser, root, "en/results/index.html", async (page) =>
    [...ordered(await rows(page, RATE), true), ...differs("the address then", await query(page), "?state=unverified&sort=-throughput")], "?sort=-throughput&state=unverified&sort=nonsense")]);
}

// Where rows are cards a list does what the heads do elsewhere, and says what they were asked; it is not shown beside them.
async function sorting_cards(page, column) {
  const list = page.locator(".sorting select"), faults = [], size = page.viewportSize(), order = async () => (await rows(page)).map((b) => b.rows.map((r) => r.text));
  faults.push(...differs("what the list says of a click on a head", [await list.isVisible(), await list.inputValue()], [false, "throughput"]));
  const key = await page.locator("table.rows thead th").evaluateAll((l) => l.flatMap((e) => ["-" + e.dataset.key, e.dataset.key]));
  faults.push(...differs("what can be sorted by", await list.locator("option").evaluateAll((l) => l.map((o) => o.value)), ["", ...key]));
  const by_head = await order();
  await page.setViewportSize({ width: 360, height: 740 });
  if (!await list.isVisible()) return [...faults, "cards without a list to sort them by"];
  for (const [by, down] of [["-throughput", true], ["throughput", false]]) {
    await list.selectOption(by);
    faults.push(...ordered(await rows(page, column), down), ...differs("its address", await query(page), `?sort=${by}`));
  }
  faults.push(...differs("the order of the list, by that of the head", await order(), by_head));
  await page.setViewportSize(size);
  return faults;
}

const query = (page) => page.evaluate(() => location.search);

export async function filtering(browser, root, records, langs = LANGS) {
  return each(langs, (lang) => opened(browser, root, `${lang}/results/index.html`, async (page) => {
    const written = (await rows(page)).flatMap((b) => b.rows.map((r) => ({ ...r, state: b.state }))), faults = [];
    const expect = async (what, keep) => faults.push(...differs(what, await shown(page), written.filter((r) => r.rated && keep(r)).map((r) => r.text).sort()));
    const counted = async (what, keep) => faults.push(...differs(what, (await page.locator(".filters [role=status]").textContent()).match(/\d+/g)?.map(Number).sort((a, b) => a - b) ?? [], keep ? [written.filter((r) => r.rated && keep(r)).length, written.length] : []));
    const one = written[0], box = page.locator(".filters input[type=search]"), by = (v) => page.locator(`.filters select:has(option[value="${v}"])`);
    faults.push(...differs("the address of all", await query(page), ""));
    for (const kind of ["vendor", "model", "accelerator"]) { // a list names things as their own pages do
      const listed = await page.locator(`.filters select:has(option[value="${one[kind]}"]) option:not([value=""])`).evaluateAll((l) => l.map((o) => [o.value, o.textContent]));
      const named = listed.map(([id]) => [id, /<h1>(?:<[^>]*>)?([^<]*)/.exec(fs.readFileSync(path.join(root, lang, kind, id, "index.html"), "utf-8"))[1]]);
      faults.push(...differs(`names of each ${kind}`, listed, named), ...differs(`how many of ${kind}s`, listed.length > 1, true));
    }
    await by(one.vendor).selectOption(one.vendor);
    await expect("of one vendor", (r) => r.vendor === one.vendor);
    await counted("how many rows it has", (r) => r.vendor === one.vendor);
    const bodies = await page.locator(".rows tbody:visible").evaluateAll((all) => all.map((b) => [[...b.rows].filter((r) => !r.classList.contains("group") && r.checkVisibility()).length, Math.min(...b.querySelector(".count").textContent.match(/\d+/g))]));
    faults.push(...bodies.flatMap(([rows, said]) => differs("rows that a state says it has", said, rows)));
    faults.push(...differs("its address", await query(page), `?vendor=${one.vendor}`));
    await by(one.state).first().selectOption(one.state);
    await expect("of one vendor and state", (r) => r.vendor === one.vendor && r.state === one.state);
    faults.push(...differs("its address", await query(page), `?state=${one.state}&vendor=${one.vendor}`));
    await by(one.vendor).selectOption("");
    await expect("of one state", (r) => r.state === one.state);
    faults.push(...differs("a default is not in the address", await query(page), `?state=${one.state}`));
    await page.locator(".filters button").click();
    await expect("after the reset", () => true);
    await counted("nothing is counted without a filter");
    faults.push(...differs("the address after it", await query(page), ""));
    const ticks = page.locator(".filters input[type=checkbox]"), last = ticks.last();
    await last.check();
    const best = (await rows(page)).flatMap((b) => b.rows).filter((r) => r.shown).map((r) => [r.group, r.vendor, r.accelerator].join());
    faults.push(...differs("one row a card", best.length, new Set(best).size), ...differs("its address", await query(page), "?best=card"));
    faults.push(...differs("cards that have a figure", best.sort(), [...new Set(written.filter((r) => r.rated).map((r) => [r.group, r.vendor, r.accelerator].join()))].sort()));
    await last.uncheck();
    if (await ticks.count() > 1) {
      await ticks.first().uncheck();
      faults.push(...differs("all rows, with figures or without", await shown(page), written.map((r) => r.text).sort()), ...differs("their address", await query(page), "?figures=all"));
      await ticks.first().check();
    }
    await box.fill("单机8卡");
    await expect("with Chinese words", (r) => (r.text + r.also).includes("单机8卡"));
    if (!(await shown(page)).length) faults.push("nothing has 单机8卡");
    faults.push(...differs("their address", decodeURIComponent(await query(page)), "?q=单机8卡"));
    await box.fill("Moore 摩尔线程");
    await expect("by a vendor's names in both languages", (r) => r.vendor === "mthreads");
    await box.fill("no such thing 没有");
    await expect("of what is not there", () => false);
    if (!await page.locator("p[role=status]").isVisible()) faults.push("nobody says that nothing is left");
    faults.push(...differs("how many rows the table says it has", (await page.locator(".rows caption .count").textContent()).match(/\d+/g).map(Number).sort((a, b) => a - b), [0, written.length]));
    return faults;
  })).then(async (faults) => [...faults, ...await opened(browser, root, "en/results/index.html", async (page) => {
    const all = (await rows(page)).flatMap((b) => b.rows), left = await shown(page);
    return [...differs("from an address", left, all.filter((r) => r.rated && r.vendor === "nvidia").map((r) => r.text).sort()),
      ...differs("the address then", await query(page), "?vendor=nvidia")];
  }, "?vendor=nvidia&state=nonsense"), ...await opened(browser, root, "en/results/index.html", folded)]);
}

// On a telephone results come first: what filters is folded, and fifteen rows are no seven screens.
async function folded(page) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  const seen = () => page.locator(".filters input").first().isVisible(), high = await page.evaluate(() => document.scrollingElement.scrollHeight), faults = [];
  const rows = await page.locator(".rows tbody tr:not(.group)").count();
  if (await seen()) faults.push("filters are open on a telephone");
  const alone = await page.evaluate(() => [...document.querySelectorAll(".rows tr[data-row]")].filter((r) => {
    const tops = [...r.querySelectorAll("td.number:not(.said):not(:has(> .none))")].map((c) => Math.round(c.getBoundingClientRect().top));
    return tops.length < 5 && new Set(tops).size > 1;
  }).map((r) => r.dataset.row));
  faults.push(...differs("cards whose four figures are not abreast", alone, []));
  if (high / rows > 250) faults.push(`${high} px for ${rows} rows at 360`);
  await page.locator(".filtering summary").click();
  return await seen() ? faults : [...faults, "filters do not open"];
}

// A thing is found by each of its names in both languages, its own page first, then what is of it, and
// nothing else. Expectations are from the records.
const record = (records, kind, id) => JSON.parse(fs.readFileSync(path.join(records, kind, `${id}.json`), "utf-8"));
const called = (r) => [r.id, ...(typeof r.name === "string" ? [r.name] : Object.values(r.name ?? {})), ...r.aliases ?? []];

// It ends after `enough` faults: of a planted one, one is enough.
export async function searching(browser, root, records, langs = LANGS, enough = Infinity) {
  const rows = JSON.parse(fs.readFileSync(path.join(root, "data/results.json"), "utf-8")).rows;
  const of = (key, id) => [...new Set(rows.filter((r) => r[key] === id).map((r) => `${r.vendor}/${r.case}`))].sort();
  const STATES = ["verified", "partial", "unverified", "failed", "withdrawn", "removed"];
  const removed = JSON.parse(fs.readFileSync(path.join(root, "data/index.json"), "utf-8")).removed;
  return each(langs, (lang) => opened(browser, root, `${lang}/search/index.html`, async (page) => {
    const faults = [], ask = (text) => page.evaluate((asked) => {
      const box = document.querySelector(".search-box input"), all = (of) => [...document.querySelectorAll(of)].filter((e) => e.checkVisibility());
      if (asked !== null) { box.value = asked; box.dispatchEvent(new Event("input")); }
      return { focus: box === document.activeElement, results: all(".found.results li a").map((a) => /\/result\/([^/]+\/[^/]+)\//.exec(a.href)[1]),
        states: all(".found.results .state").map((e) => e.className.split(" ")[1]), pages: all(".found.pages li a").map((a) => a.getAttribute("href")),
        said: document.querySelector(".search-box [role=status]").textContent, q: new URLSearchParams(location.search).get("q") };
    }, text);
    const before = await ask(null);
    faults.push(...differs("what stands in its place", await page.locator(".unscripted:visible").count(), 0), ...differs("what it promises", await page.locator(".scripted:visible").count(), 3));
    faults.push(...differs("without a question", [before.results, before.focus, before.said, before.q], [[], true, "", null]));
    for (const kind of ["vendor", "model", "accelerator"]) {
      for (const id of new Set(rows.map((r) => r[kind]).filter(Boolean))) {
        for (const name of called(record(records, `${kind}s`, id))) {
          if (faults.length >= enough) return faults;
          const now = await ask(name), wanted = of(kind, id), order = now.states.map((s) => STATES.indexOf(s));
          if (!now.pages[0]?.endsWith(`${kind}/${id}/index.html`)) faults.push(`${name}: the first page is ${now.pages[0]}, expected that of ${kind} ${id}`);
          wanted.filter((r) => !now.results.includes(r)).forEach((r) => faults.push(`${name}: ${r} is not found`));
          if (/[\u4e00-\u9fff]/.test(name)) now.results.filter((r) => !wanted.includes(r) && !removed.some((x) => x.id === r)).forEach((r) => faults.push(`${name}: ${r} is none of it`));
          faults.push(...differs(`${name}: states in order`, order, [...order].sort()), ...differs(`${name}: the address`, now.q, name));
          if (!now.said.startsWith(`${now.results.length + now.pages.length} `)) faults.push(`${name}: it says ${now.said}`);
        }
      }
    }
    // Exact to the character: what is of two words that stand apart, or of another order, is not there.
    for (const [text, ids] of [["天智数芯", []], ["芯天", []], ["线摩", []], ["iluvatra", []], ["<script>", []], [".*", []], ["摩尔线程 已验证", []],
      ["摩尔线程 failed", ["mthreads/llama2_7b-deepspeed"]], ["ＭＴＴ　Ｓ４０００", ["mthreads/llama2_7b-deepspeed"]]]) {
      const now = await ask(text);
      faults.push(...differs(`${text}: found`, now.results, ids));
      if (!now.said.trim()) faults.push(`${text}: it says nothing`);
    }
    // What rows run on, by the words of either language, and how it ended.
    const having = (holds) => [...new Set(rows.filter(holds).map((r) => `${r.vendor}/${r.case}`))].sort();
    for (const [text, holds] of [["单机8卡", (r) => r.configuration?.includes("单机8卡")], ["8 cards", (r) => r.nodes * r.cards_per_node === 8], ["1 CARD", (r) => r.nodes * r.cards_per_node === 1],
      ["失败", (r) => r.state === "failed"], ["failed", (r) => r.state === "failed"], ["未通过", (r) => r.state === "failed"]]) {
      if (!having(holds).length) faults.push(`${text}: nothing is of it`);
      faults.push(...differs(`${text}: found`, (await ask(text)).results.sort(), having(holds)));
    }
    for (const text of ["#8card", "#1node"]) faults.push(...differs(`${text}: nothing has these characters`, (await ask(text)).results, []));
    await ask("xyzzy plugh");
    faults.push(...differs("what is said of results without any", await page.locator("h2:visible, p.more:visible").allTextContents(), []));
    if (!removed.length) faults.push("no result is gone: nothing to find");
    for (const gone of removed) {
      const now = await ask(gone.case);
      if (!now.results.includes(gone.id) || now.states.at(-1) !== "removed") faults.push(`${gone.case}: ${gone.id} is gone and not found as removed: ${now.results}`);
    }
    const text = rule_text(root, lang, "FP4015");
    faults.push(...differs(`${text}: the rule that says so`, (await ask(text)).pages.map((p) => p.split("#")[1]), ["FP4015"]));
    for (const rule of ["fp1003", "值写在错误的列"]) faults.push(...differs(`${rule}: a rule`, (await ask(rule)).pages[0]?.split("#")[1], "FP1003"));
    return faults;
  })).then(async (faults) => faults.length >= enough ? faults : [...faults, ...await opened(browser, root, "zh/search/index.html", async (page) =>
    differs("a question in the address", await page.locator(".search-box input").inputValue(), "沐曦"), `?q=${encodeURIComponent("沐曦")}`),
  ...await many(browser, root)]);
}

// What the page of rules says of one, in words that stand nowhere else.
const rule_text = (root, lang, id) => fs.readFileSync(path.join(root, lang, "rules/index.html"), "utf-8")
  .split(`<article id="${id}">`)[1].split("</article>")[0].match(/<dd>([^<&]{12,})/)[1].slice(0, 40);

// Rules are there by kind; the filter leaves those that have all words, with their headings.
export async function ruling(browser, root, records, langs = LANGS) {
  return each(langs, (lang) => opened(browser, root, `${lang}/rules/index.html`, async (page) => {
    const shown = (what) => page.locator(`.rules ${what}`).evaluateAll((l) => l.filter((e) => e.checkVisibility()).map((e) => e.id)), faults = [];
    const ids = await shown("article"), kinds = await page.locator(".kinds a").evaluateAll((l) => l.map((a) => a.hash.slice(1)));
    faults.push(...differs("kinds in the contents", kinds, await shown("h2")));
    const box = page.locator(".filters input");
    await box.fill(rule_text(root, lang, "FP4015"));
    faults.push(...differs("rules by their words", await shown("article"), ["FP4015"]), ...differs("their heading", await shown("h2"), ["signature"]));
    await page.evaluate(() => { location.hash = "FP1001"; });
    await page.locator("#FP1001").waitFor({ timeout: 20_000 }).catch(() => faults.push("a rule that is asked for by its name stays hidden"));
    await box.fill("FP2003");
    faults.push(...differs("a rule by its name", (await shown("article")).includes("FP2003"), true));
    faults.push(...differs("the address", await query(page), "?q=FP2003"));
    await box.fill("");
    return [...faults, ...differs("all again", await shown("article"), ids)];
  }));
}

// Of many results the first hundred become elements, verified ones first; all are counted.
async function many(browser, root) {
  const N = 1500, file = path.join(root, "en/search/many.html"), html = fs.readFileSync(path.join(root, "en/search/index.html"), "utf-8");
  const line = html.split("</template>")[0].split("\n").filter(Boolean).findLast((l) => l.split("\t")[2] === "2").split("\t");
  const lines = Array.from({ length: N }, (_, i) => [line[0], `case-${i}`, i % 10 === 9 ? 0 : 2, line[3], line[4], line[5], "\""].join("\t"));
  for (const [i, title] of ["a room of 77 cards", "a room of 7 cards"].entries()) lines.push([line[0], `room-${i}`, 2, "", "", "", title].join("\t"));
  fs.writeFileSync(file, html.replace("</template>", () => `${lines.join("\n")}\n</template>`));
  return opened(browser, root, "en/search/many.html", async (page) => {
    await page.locator(".search-box input").fill("case-");
    const shown = await page.locator(".found.results li").count(), good = await page.locator(".found.results li .state.verified").count();
    const said = await page.locator(".search-box [role=status]").textContent();
    await page.locator(".search-box input").fill("7 cards");
    const room = await page.locator(".found.results li a").allTextContents();
    return [...differs("elements of all", [shown, good], [100, 100]), ...differs("what a text says of cards", room.map((n) => n.split(" ").pop()), ["room-1"]), ...said.includes("1500") ? [] : [`it says ${said}`]];
  }).finally(() => fs.unlinkSync(file));
}

// A model whose page has a group with two rows that may be compared.
function model_with_two(root) {
  const models = path.join(root, "en/model");
  return fs.readdirSync(models).find((m) => fs.readFileSync(path.join(models, m, "index.html"), "utf-8")
    .split("<section aria-labelledby=").slice(1).some((g) => g.split("</table>")[0].split("<tr data-row=").length > 2));
}

export async function comparing(browser, root, records, langs = LANGS) {
  const model = model_with_two(root);
  if (!model) return ["no model has two rows to compare"];
  return each(langs, (lang) => opened(browser, root, `${lang}/model/${model}/index.html`, async (page) => {
    const group = page.locator("main > section").filter({ has: page.locator("input[type=checkbox] >> nth=1") }).first(), faults = [];
    const boxes = group.locator("tbody input[type=checkbox]"), values = (l) => l.locator(".value, td > .none").allTextContents();
    const row = (i) => group.locator("tbody tr").filter({ has: page.locator("input[type=checkbox]") }).nth(i), bar = page.locator(".picked");
    const wanted = [await values(row(0)), await values(row(1))], table = page.locator("table.comparison");
    faults.push(...differs("a bar without a choice", await bar.isVisible(), false));
    await boxes.nth(0).check();
    faults.push(...differs("one alone makes no table", [await table.count(), await bar.isVisible()], [0, true]));
    await boxes.nth(1).focus();
    const top = () => boxes.nth(1).evaluate((e) => e.getBoundingClientRect().top), before = await top();
    await page.keyboard.press("Space");
    if (Math.abs(await top() - before) > 1) faults.push(`what was ticked goes from ${before} to ${await top()}`);
    const columns = await table.evaluate((t) => [1, 2].map((c) => [...t.rows].flatMap((r) => [...r.cells[c].querySelectorAll(".value, .none:first-child")].map((e) => e.textContent))));
    faults.push(...differs("figures side by side", columns, wanted));
    faults.push(...differs("states named", await table.locator(".state").count(), 2));
    // The selection is in the address: read again, sent to others, gone back to. What is not there is dropped.
    const keys = await Promise.all([0, 1].map((i) => row(i).getAttribute("data-row"))), asked = `?compare=${keys.join(",")}`;
    faults.push(...differs("the address", await query(page), asked));
    const again = async (what, wanted = asked) => faults.push(...differs(`the table ${what}`, await table.locator("thead th").count(), 2),
      ...differs(`the boxes ${what}`, [await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()], [true, true]), ...differs(`the address ${what}`, await query(page), wanted));
    await page.reload();
    await again("after a reload");
    await group.locator("tbody th a").first().click();
    await page.goBack();
    await again("after going back");
    await page.goto(page.url().replace(/\?.*/, "") + `${asked},nobody/nothing:9.9,${keys[0]}`);
    await again("of an address with what is not there");
    faults.push(...differs("it is said", await page.locator(".compare-any [role=status]").count(), 1));
    await bar.locator("button").last().click({ timeout: 20_000 });
    faults.push(...differs("cleared", [await table.count(), await boxes.nth(0).isChecked(), await bar.isVisible(), await query(page)], [0, false, false, ""]));
    return faults;
  })).then(async (faults) => [...faults, ...langs.length > 1 ? [...await apart(browser, root), ...await from_search(browser, root)] : []]);
}

// Any rows of a list: a factor is that of two figures that may be compared and are written alike; of
// rows that may not, the table says what they differ in.
export async function apart(browser, root) {
  return opened(browser, root, "en/results/index.html", async (page) => {
    const rows = await page.evaluate(() => [...document.querySelectorAll("tr[data-row]")].map((r) => ({
      key: r.dataset.row, group: r.dataset.group, criteria: r.dataset.criteria.split("\t"), rate: parseFloat(r.cells[4].querySelector(".value")?.textContent.replaceAll(",", "") ?? "NaN") })));
    const figured = rows.filter((r) => r.rate > 0), base = figured.find((r) => figured.some((o) => o !== r && o.group === r.group));
    if (!base) return ["no two rows with figures may be compared"];
    const near = figured.find((r) => r !== base && r.group === base.group), far = figured.find((r) => r.group !== base.group);
    await page.goto(`${page.url().replace(/\?.*/, "")}?compare=${[base, near, far].map((r) => r.key).join(",")}`);
    const read = () => page.evaluate(() => [...document.querySelectorAll(".comparison tbody tr")].map((r) => ({ name: r.cells[0].textContent.trim(), criterion: r.className === "criterion",
      cells: [...r.cells].slice(1).map((c) => ({ text: c.textContent.trim(), factor: c.querySelector(".factor")?.textContent ?? null, bar: !!c.querySelector(".bar") })) })));
    const now = await read(), rate = now.find((r) => r.name.startsWith("Throughput")), faults = [];
    faults.push(...differs("criteria that are told", now.filter((r) => r.criterion).map((r) => r.cells.map((c) => c.text)),
      base.criteria.map((_, i) => [base, near, far].map((r) => r.criteria[i])).filter((c) => c.some((w) => w !== c[0]))));
    const factor = Number.parseFloat(rate.cells[1].factor), wanted = near.rate / base.rate;
    if (!(Math.abs(factor - wanted) <= 0.006 * wanted)) faults.push(`a factor of ${rate.cells[1].factor}, expected ${wanted}`);
    faults.push(...differs("of the base, and of what may not be compared", [rate.cells[0].factor, rate.cells[2].factor, rate.cells[2].bar, rate.cells[2].text.includes("not comparable")], [null, null, false, true]));
    await page.locator(".comparison .columntools button", { hasText: "Use as base" }).first().click();
    const turned = (await read()).find((r) => r.name.startsWith("Throughput"));
    faults.push(...differs("another base", [turned.cells[0].factor, await query(page)], [null, `?compare=${[near, base, far].map((r) => r.key).join(",")}`]));
    faults.push(...(await checks.narrow(page)).map((f) => `open comparison: ${f}`), ...(await checks.axe(page)).map((f) => `open comparison: ${f}`));
    return faults;
  });
}

// What is found can be ticked as well; the rows are on another page.
async function from_search(browser, root) {
  return opened(browser, root, "en/search/index.html", async (page) => {
    await page.locator(".search-box input").fill("llama");
    const boxes = page.locator(".found.results input[type=checkbox]"), n = await boxes.count();
    if (n < 2) return ["a search for llama finds no two results"];
    await boxes.nth(0).check();
    await boxes.nth(n - 1).check();
    await page.locator(".picked a").click();
    const heads = page.locator(".comparison thead th"); // on another page, made when that is there
    await heads.nth(1).waitFor().catch(() => {});
    return differs("columns of what was found", await heads.count(), 2);
  });
}

// The value of a chart at a step, by arrow keys and under the pointer.
export async function charts(browser, root, result) {
  return opened(browser, root, result.here, async (page) => {
    const chart = page.locator("svg[data-p]:visible").first(), faults = [];
    if (!await chart.count()) return ["no chart can be read"];
    await chart.focus();
    await page.keyboard.press("Home");
    const read = () => page.locator("output.chart-readout").first().textContent(), first = await read();
    await page.keyboard.press("End");
    const last = await read();
    if (!first.trim() || first === last) faults.push(`the keys read ${first} and ${last}`);
    const steps = (await chart.getAttribute("data-p")).split(" ");
    if (!first.includes(` ${Number(steps[0])} `) || !last.includes(` ${Number(steps.at(-1))} `)) faults.push(`the steps read: ${first}; ${last}`);
    await chart.hover();
    if (!(await read()).trim()) faults.push("nothing is read under the pointer");
    return faults;
  });
}

// The first click changes colours, whatever the system's are, the second changes them back; a choice is kept from page to page.
export async function colours(browser, root) {
  const faults = [];
  for (const colorScheme of ["light", "dark"]) faults.push(...await with_page(browser, { colorScheme }, address(root), async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor), there = (here) => page.goto(address(place(root, here).file));
    await there("en/index.html");
    const seen = [await ground()];
    for (const wanted of [1, 2]) {
      await page.locator("button.theme").click();
      seen.push(await ground());
      await there("en/rules/index.html");
      if (await ground() !== seen[wanted]) return [`${colorScheme}: the next page has other colours than were chosen`];
    }
    return seen[1] !== seen[0] && seen[2] === seen[0] ? [] : [`${colorScheme}: two clicks: ${seen.join(", ")}`];
  }));
  return faults;
}

// What a box is for is read beside it, and on a telephone once above the rows; it is in its name as well.
export async function boxes(browser, root) {
  return with_page(browser, {}, address(root), async (page) => {
    await page.goto(address(place(root, "zh/results/index.html").file));
    const said = () => page.evaluate(() => {
      const shown = (e, where) => e && getComputedStyle(e, where).content.replace(/^(none|normal)$/, "");
      return { names: [...document.querySelectorAll(".rows .pick input")].map((i) => i.getAttribute("aria-label")),
        beside: shown(document.querySelector(".rows .pick"), "::after"), above: shown(document.querySelector(".compare-any"), "::before") };
    });
    const wide = await said();
    await page.setViewportSize({ width: 360, height: 740 });
    const narrow = await said(), faults = [];
    if (!wide.names.length || !wide.names.every((n) => n.length > 10)) faults.push(`names of boxes: ${wide.names}`);
    for (const [width, at] of [[1280, wide], [360, narrow]]) {
      if (!at.above) faults.push(`no word about boxes at ${width} px`);
      if (at.beside) faults.push(`the word is said again beside each box at ${width} px: ${at.beside}`);
    }
    return faults;
  });
}

// Without a script a rule is folded until it is asked for, by the link of a finding or by hand; on paper all are open.
export async function rules(browser, root) {
  return with_page(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } }, address(root), async (page) => {
    const here = address(place(root, "en/rules/index.html").file), folds = page.locator(".folded-rule"), ids = await (async () => {
      await page.goto(here);
      return page.locator(".rules article").evaluateAll((all) => all.map((a) => a.id));
    })();
    const open = async () => (await Promise.all(ids.map(async (id, i) => await folds.nth(i).isVisible() ? id : ""))).filter(Boolean);
    const high = await page.evaluate(() => document.scrollingElement.scrollHeight), faults = [];
    if (high / ids.length > 220) faults.push(`${high} px for ${ids.length} rules at 360`);
    faults.push(...differs("open as the page comes", await open(), []));
    await page.goto(`${here}#${ids[3]}`);
    faults.push(...differs("open by a link", await open(), [ids[3]]));
    await page.locator(".rules summary").nth(5).click();
    faults.push(...differs("open by hand, too", await open(), [ids[3], ids[5]]));
    faults.push(...differs("what a summary opens is in its details", await folds.evaluateAll((l) => l.filter((e) => !e.closest("details")).length), 0));
    await page.emulateMedia({ media: "print" });
    faults.push(...differs("open on paper", (await open()).length, ids.length));
    return faults;
  }).then(async (faults) => [...faults, ...await with_page(browser, {}, address(root), async (page) => { // with it, what is shown is said to be open
    await page.goto(`${address(place(root, "en/rules/index.html").file)}#FP1003`);
    const opened = () => page.locator(".rules details[open]").evaluateAll((l) => l.map((d) => d.closest("article").id));
    const told = differs("open by a link, with the script", await opened(), ["FP1003"]);
    const print = (what) => page.evaluate((name) => dispatchEvent(new Event(name)), what), folds = await page.locator(".rules details").count();
    await print("beforeprint");
    told.push(...differs("open on paper, with the script", (await opened()).length, folds));
    await print("afterprint");
    told.push(...differs("open after it", await opened(), ["FP1003"]));
    await page.locator(".filters input").fill("FP2003");
    const all = await page.locator(".rules details").count();
    told.push(...differs("open while rules are asked for", (await opened()).length, all));
    await page.locator(".filters input").fill("");
    return [...told, ...differs("folded again", await opened(), [])];
  })]);
}

// Over http below a path: a result that a search finds is one click away, and what is ticked there is
// compared on the page that has it; sorting and choosing stay in the address, which is read again.
export async function below(browser, root, base) {
  return with_page(browser, {}, base, async (page) => {
    const faults = [], columns = () => page.locator(".compare-any thead th").count();
    await page.goto(`${base}zh/search/index.html`);
    await page.locator(".search-box input").fill("英伟达");
    await page.locator(".found.results li a").first().click();
    await page.waitForURL(/\/result\//, { waitUntil: "load" });
    if (!/\/zh\/result\/nvidia\/[^/]+\/index.html$/.test(page.url()) || !await page.locator("h1").count()) faults.push(`a result that was found leads to ${page.url()}`);
    await page.goto(`${base}en/search/index.html`);
    await page.locator(".search-box input").fill("llama2");
    for (const i of [0, 1]) await page.locator(".found.results .pick input").nth(i).check();
    await page.locator(".picked a").click();
    await page.waitForURL(/compare=/);
    faults.push(...differs("columns of what was ticked in a search", await columns(), 2));
    await page.goto(`${base}en/results/index.html`);
    await page.locator('th[data-key="throughput"] button').click();
    for (const i of [0, 1]) await page.locator(".rows .pick input").nth(i).check();
    const first = await page.locator(".rows tr[data-row]").first().getAttribute("data-row");
    await page.goto(page.url());
    faults.push(...differs("an address that is read again", [await columns(), await page.locator(".rows tr[data-row]").first().getAttribute("data-row")], [2, first]));
    return faults;
  });
}

// A reader clicks on the bundle of a result and runs the one command that the page shows, in an empty folder:
// the verdict is the page's.
export async function repeating(browser, root, base, scratch) {
  return with_page(browser, {}, base, async (page) => {
    await page.goto(`${base}en/result/fpreport/tiny_llama/index.html`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("a[download$='.bundle.tar'], a[download][href$='.bundle.tar']").click()]);
    const folder = fs.mkdtempSync(path.join(path.resolve(scratch), "reader-"));
    await file.saveAs(path.join(folder, file.suggestedFilename()));
    const command = (await page.locator("code", { hasText: /^fpreport verify .*\.bundle\.tar$/ }).textContent()).split(" ");
    const said = spawnSync(process.env.FPREPORT, [...command.slice(1), "--format", "json"], { cwd: folder, encoding: "utf8" });
    const state = JSON.parse(fs.readFileSync(path.join(root, "result/fpreport/tiny_llama/verify.json"), "utf8")).runs[0].state;
    return [...differs("the program of the command", command[0], "fpreport"),
      ...differs("the state by the command", JSON.parse(said.stdout).runs[0].state, state),
      ...differs("its exit", said.status, 0)];
  });
}
