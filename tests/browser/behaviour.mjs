// What a reader does: sorts, filters, searches, compares, reads a chart. Expectations are computed
// here from what was written into the page or from data/index.json, not by the site's script.
import fs from "node:fs";
import path from "node:path";
import { address, with_page } from "./browser.mjs";
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
    text: r.textContent.replace(/\s+/g, " "), shown: r.checkVisibility(), vendor: r.dataset.vendor,
    figure: r.cells[i].querySelector(".none") ? null : parseFloat(r.cells[i].querySelector(".value")?.textContent.replaceAll(",", "") ?? "NaN"),
  })),
})), column);
const shown = async (page) => (await rows(page)).flatMap((b) => b.rows).filter((r) => r.shown).map((r) => r.text).sort();

function ordered(bodies, down) {
  return bodies.flatMap((b) => {
    const figures = b.rows.map((r) => r.figure), known = figures.filter((f) => f !== null);
    const wanted = [...known].sort((x, y) => (down ? y - x : x - y));
    return differs(`figures of ${b.state}`, figures, [...wanted, ...figures.filter((f) => f === null)]);
  });
}

export async function sorting(browser, root) {
  const RATE = 4;
  return each(LANGS, (lang) => opened(browser, root, `${lang}/results/index.html`, async (page) => {
    const before = await rows(page, RATE), head = page.locator("table.rows thead th").nth(RATE).locator("button"), faults = [];
    for (const [down, press] of [[true, () => head.click()], [false, async () => { await head.focus(); await page.keyboard.press("Enter"); }]]) {
      await press();
      const now = await rows(page, RATE);
      faults.push(...ordered(now, down), ...differs("states", now.map((b) => b.state), before.map((b) => b.state)));
      const same = (bodies) => bodies.map((b) => b.rows.map((r) => r.text).sort());
      faults.push(...differs("rows of each state", same(now), same(before)));
      faults.push(...differs("aria-sort", await page.locator("th[aria-sort]").evaluateAll((l) => l.map((e) => e.getAttribute("aria-sort"))), [down ? "descending" : "ascending"]));
      faults.push(...differs("its address", await query(page), down ? "?sort=-4" : "?sort=4"));
    }
    if (before.every((b) => b.rows.filter((r) => r.figure !== null).length < 2)) faults.push("nothing to sort: no state has two figures");
    return faults;
  })).then(async (faults) => [...faults, ...await opened(browser, root, "en/results/index.html", async (page) =>
    [...ordered(await rows(page, RATE), true), ...differs("the address then", await query(page), "?state=unverified&sort=-4")], "?sort=-4&state=unverified&sort=nonsense")]);
}

const query = (page) => page.evaluate(() => location.search);

export async function filtering(browser, root) {
  return each(LANGS, (lang) => opened(browser, root, `${lang}/results/index.html`, async (page) => {
    const written = (await rows(page)).flatMap((b) => b.rows.map((r) => ({ ...r, state: b.state }))), faults = [];
    const expect = async (what, keep) => faults.push(...differs(what, await shown(page), written.filter(keep).map((r) => r.text).sort()));
    const one = written[0], box = page.locator(".filters input"), by = (v) => page.locator(`.filters select:has(option[value="${v}"])`);
    faults.push(...differs("the address of all", await query(page), ""));
    await by(one.vendor).selectOption(one.vendor);
    await expect("of one vendor", (r) => r.vendor === one.vendor);
    faults.push(...differs("its address", await query(page), `?vendor=${one.vendor}`));
    await by(one.state).first().selectOption(one.state);
    await expect("of one vendor and state", (r) => r.vendor === one.vendor && r.state === one.state);
    faults.push(...differs("its address", await query(page), `?state=${one.state}&vendor=${one.vendor}`));
    await by(one.vendor).selectOption("");
    await expect("of one state", (r) => r.state === one.state);
    faults.push(...differs("a default is not in the address", await query(page), `?state=${one.state}`));
    await page.locator(".filters button").click();
    await expect("after the reset", () => true);
    faults.push(...differs("the address after it", await query(page), ""));
    await box.fill("单机8卡");
    await expect("with Chinese words", (r) => r.text.includes("单机8卡"));
    if (!(await shown(page)).length) faults.push("nothing has 单机8卡");
    faults.push(...differs("their address", decodeURIComponent(await query(page)), "?q=单机8卡"));
    await box.fill("no such thing 没有");
    await expect("of what is not there", () => false);
    if (!await page.locator("p[role=status]").isVisible()) faults.push("nobody says that nothing is left");
    return faults;
  })).then(async (faults) => [...faults, ...await opened(browser, root, "en/results/index.html", async (page) => {
    const all = (await rows(page)).flatMap((b) => b.rows), left = await shown(page);
    return [...differs("from an address", left, all.filter((r) => r.vendor === "nvidia").map((r) => r.text).sort()),
      ...differs("the address then", await query(page), "?vendor=nvidia")];
  }, "?vendor=nvidia&state=nonsense")]);
}

export async function searching(browser, root) {
  const results = JSON.parse(fs.readFileSync(path.join(root, "data/index.json"), "utf-8")).results;
  const title = (lang, vendor) => /<h1[^>]*>(.*?)<\/h1>/s.exec(fs.readFileSync(path.join(root, lang, "vendor", vendor, "index.html"), "utf-8"))[1].trim();
  return each(LANGS, (lang) => opened(browser, root, `${lang}/search/index.html`, async (page) => {
    const box = page.locator(".search-box input"), faults = [];
    const found = () => page.locator(".found li:visible a").evaluateAll((l) => l.map((a) => /\/result\/([^/]+\/[^/]+)\//.exec(a.href)?.[1]).filter(Boolean).sort());
    const items = await page.locator(".found li").evaluateAll((l) => l.map((e) => e.textContent.toLowerCase()));
    faults.push(...differs("without a question", await found(), results.map((r) => r.id).sort()));
    if (!await box.evaluate((e) => e === document.activeElement)) faults.push("the box has not the focus");
    for (const vendor of new Set(results.map((r) => r.id.split("/")[0]))) {
      const name = title(lang, vendor).toLowerCase();
      await box.fill(name);
      const hits = await found(), wanted = results.map((r) => r.id).filter((id) => id.startsWith(vendor + "/"));
      wanted.filter((id) => !hits.includes(id)).forEach((id) => faults.push(`${name}: ${id} is not found`));
      faults.push(...differs(`${name}: how many`, await page.locator(".found li:visible").count(), items.filter((t) => name.split(/\s+/).every((w) => t.includes(w))).length));
      faults.push(...differs(`${name}: the address`, new URLSearchParams(await query(page)).get("q"), name));
    }
    // Exact to the character: a word of two that stand apart is not there.
    for (const [text, some] of [[lang === "zh" ? "天数智芯" : "iluvatar", true], [lang === "zh" ? "天智数芯" : "iluvatra", false], ["<script>", false], [".*", false]]) {
      await box.fill(text);
      const n = await page.locator(".found li:visible").count(), said = await page.locator(".search-box [role=status]").textContent();
      faults.push(...differs(`${text}: how many`, n, items.filter((t) => t.includes(text)).length), ...differs(`${text}: any`, n > 0, some));
      if (!said.trim() || (n && !said.startsWith(`${n} `))) faults.push(`${text}: it says ${said}`);
    }
    return faults;
  })).then(async (faults) => [...faults, ...await opened(browser, root, "zh/search/index.html", async (page) =>
    differs("a question in the address", await page.locator(".search-box input").inputValue(), "沐曦"), `?q=${encodeURIComponent("沐曦")}`)]);
}

// A model whose page has a group with two rows that may be compared.
function model_with_two(root) {
  const models = path.join(root, "en/model");
  return fs.readdirSync(models).find((m) => fs.readFileSync(path.join(models, m, "index.html"), "utf-8")
    .split('class="compare-any"').slice(1).some((g) => g.split("</table>")[0].split("<tr><th scope=\"row\"").length > 2));
}

export async function comparing(browser, root) {
  const model = model_with_two(root);
  if (!model) return ["no model has two rows to compare"];
  return each(LANGS, (lang) => opened(browser, root, `${lang}/model/${model}/index.html`, async (page) => {
    const group = page.locator("main > section").filter({ has: page.locator("input[type=checkbox] >> nth=1") }).first(), faults = [];
    const boxes = group.locator("tbody input[type=checkbox]"), values = (l) => l.locator(".value, .none").allTextContents();
    const row = (i) => group.locator("tbody tr").filter({ has: page.locator("input[type=checkbox]") }).nth(i);
    const wanted = [await values(row(0)), await values(row(1))];
    await boxes.nth(0).check();
    faults.push(...differs("one alone makes no table", await group.locator("table.pair").count(), 0));
    await boxes.nth(1).focus();
    await page.keyboard.press("Space");
    const table = group.locator("table.pair"), columns = await table.evaluate((t) => [1, 2].map((c) => [...t.rows].flatMap((r) => [...r.cells[c].querySelectorAll(".value, .none")].map((e) => e.textContent))));
    faults.push(...differs("figures side by side", columns, wanted));
    faults.push(...differs("states named", await table.locator(".state").count(), 2));
    await group.locator(".compare-any button").click();
    faults.push(...differs("cleared", [await table.count(), await boxes.nth(0).isChecked()], [0, false]));
    return faults;
  }));
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

// A choice of colours is kept from page to page.
export async function colours(browser, root) {
  return with_page(browser, { locale: "en-GB" }, address(root), async (page) => {
    await page.goto(address(place(root, "en/index.html").file));
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor), light = await ground();
    await page.locator("button.theme").click();
    await page.locator("button.theme").click();
    const dark = await ground(), faults = light === dark ? ["dark is as light"] : [];
    await page.goto(address(place(root, "en/rules/index.html").file));
    return [...faults, ...differs("the next page", await ground(), dark)];
  });
}
