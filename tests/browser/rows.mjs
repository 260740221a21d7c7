// Rows that move: bars with the table that they are drawn from, and lists of which only a part is drawn.
// What is expected is computed from the table as the page came, or from data/results.json.
import fs from "node:fs";
import path from "node:path";
import { address, with_page } from "./browser.mjs";
import { differs } from "./tap.mjs";

// Marks of the bars by where they are seen, and of the rows of each table, states in their order.
const seen = (page) => page.evaluate(() => ({
  tables: [...document.querySelectorAll("table.group")].map((t) => [...t.querySelectorAll("tr[data-row]")].map((r) => r.dataset.row)),
  drawings: [...document.querySelectorAll("svg.chart-wide")].filter((s) => s.querySelector("[data-place]")).map((s) => [...s.querySelectorAll(".chart-row")]
    .map((e) => ({ mark: e.dataset.mark, top: e.getBoundingClientRect().top })).sort((a, b) => a.top - b.top).map((e) => e.mark)),
}));

export async function moving(browser, root) {
  return with_page(browser, {}, address(root), async (page) => {
    await page.goto(address(path.join(root, "en/model/toy/index.html")));
    const before = await seen(page), faults = [], at = before.tables.findIndex((t) => t.includes(before.drawings[0]?.[0]));
    if (!before.drawings.length || before.drawings[0].length < 3) return ["no bars of three rows"];
    const orders = new Set([before.drawings[0].join()]);
    for (const key of ["token_per_s_per_card", "token_per_s_per_card", "accelerator", "mfu"]) {
      await page.locator("table.group").nth(at).locator(`th[data-key="${key}"] button`).click();
      const now = await seen(page);
      faults.push(...differs(`bars after a click on ${key}`, now.drawings[0], now.tables[at].filter((m) => now.drawings[0].includes(m))));
      orders.add(now.drawings[0].join());
    }
    const heading = page.locator("svg.chart-wide:has([data-place]) [data-sorted]").first();
    faults.push(...differs("what the heading says then", await heading.textContent(), await heading.getAttribute("data-sorted")));
    await page.locator("svg.chart-wide:has([data-place])").first().focus(); // arrow keys go as the bars stand
    await page.keyboard.press("Home");
    const first = await page.locator("svg.chart-wide:has([data-place]) .chart-row title").first().textContent();
    faults.push(...differs("what the first key tells", await page.locator(".chart-readout").filter({ hasText: /./ }).first().textContent(), first));
    return orders.size > 2 ? faults : [...faults, "the bars never moved"];
  });
}

// The chart of the results: its points are those of the rows that the filter leaves, each where its figures say.
const points = (page) => page.evaluate(() => [...document.querySelectorAll(".points svg.chart-wide [data-mark]")].map((m) => {
  const box = m.getBBox(), by = m.transform.baseVal.consolidate()?.matrix, title = m.querySelector("title").textContent;
  return { mark: m.dataset.mark, x: box.x + box.width / 2 + (by?.e ?? 0), y: box.y + box.height / 2 + (by?.f ?? 0), title };
}));

async function points_of(page, all) {
  const faults = [], MOST = 300, [left, right, bottom, top, x_low, x_high, y_low, y_high] = (await page.locator(".points svg.chart-wide").getAttribute("data-frame")).split(" ").map(Number);
  const vendors = [...new Set(all.map((r) => r.vendor))], seen = new Set(), within = (v) => Math.min(Math.max(v, 0), 1);
  for (const vendor of vendors.slice(0, 2)) {
    await page.locator(`.filters select:has(option[value="${vendor}"])`).selectOption(vendor);
    const drawn = await points(page), note = (await page.locator(".points figcaption").textContent()).match(/\d+/g).map(Number);
    const counted = +(await page.locator("table.rows caption .count").textContent()).match(/\d+/)[0];
    faults.push(...differs(`what is said of the points of ${vendor}`, note, [drawn.length, counted, MOST]));
    faults.push(...drawn.filter((d) => !d.mark.startsWith(`${vendor}/`)).slice(0, 1).map((d) => `a point of ${d.mark} where ${vendor} was chosen`));
    for (const d of drawn.slice(0, 20)) {
      const [, rate, mfu] = d.title.replace(/,(?=\d{3})/g, "").match(/: ([\d.]+) [^,]*, ([\d.]+) % MFU$/).map(Number);
      const x = left + within((mfu - x_low) / (x_high - x_low)) * (right - left), y = bottom + within(Math.log(rate / y_low) / Math.log(y_high / y_low)) * (top - bottom);
      if (Math.hypot(d.x - x, d.y - y) > 1.5) faults.push(`${d.title} is drawn at ${d.x}, ${d.y}, expected ${x}, ${y}`);
    }
    seen.add(drawn.map((d) => d.mark).join());
  }
  await page.locator(`.filters select:has(option[value="${vendors[0]}"])`).selectOption("");
  return seen.size > 1 ? faults : [...faults, "the points never moved"];
}

export async function windowed(browser, root) {
  const all = JSON.parse(fs.readFileSync(path.join(root, "data/results.json"), "utf-8")).rows, faults = [];
  const best = all.filter((r) => r.vendor === "acme" && r.case === "toy" && +r.throughput_stated).map((r) => +r.throughput_stated).sort((a, b) => b - a), PART = 40, ASKED = 400;
  return with_page(browser, {}, address(root), async (page) => {
    await page.goto(address(path.join(root, "en/results/index.html")));
    const drawn = () => page.locator("table.rows tr[data-row]").count(), box = page.locator(".filters input[type=search]");
    const first = (n) => page.evaluate((most) => [...document.querySelectorAll('table.rows tr[data-row*="acme/toy:"] td:nth-of-type(4) .value')].slice(0, most).map((e) => +e.textContent), n);
    await box.fill("row");
    await page.waitForFunction(() => document.querySelector("table.rows caption .count").textContent.match(/\d+/g).length > 1);
    const found = +(await page.locator("table.rows caption .count").textContent()).match(/\d+/)[0], begin = await drawn();
    faults.push(...differs("rows that are found, of two vendors", found, 2 * best.length));
    if (begin > 3 * PART || begin < PART) faults.push(`${begin} rows are drawn of ${found}`);
    faults.push(...await points_of(page, all));
    await page.locator('th[data-key="throughput"] button').click();
    faults.push(...differs("the fastest rows of one of them", await first(PART), best.slice(0, PART / 2)));
    const tick = page.locator("table.rows tr[data-row] .pick input").first();
    await tick.check();
    await box.fill("row ");
    await box.fill("row");
    faults.push(...differs("a box that was ticked, drawn again", [await tick.count(), await tick.isChecked()], [1, true]));
    // Until so many are drawn, and that scrolling on draws no more.
    const scroll = async (wanted) => {
      for (let i = 0, last = 0; i < 100 && (last < wanted || last !== await drawn()); i++) {
        last = await drawn();
        await page.evaluate(() => scrollTo(0, document.scrollingElement.scrollHeight));
        await page.waitForTimeout(200);
      }
    };
    await scroll(ASKED);
    faults.push(...differs("rows that scrolling draws", await drawn(), ASKED));
    await page.locator("table.rows tbody:last-child button").click();
    faults.push(...differs("where the button leads", await page.evaluate(() => document.activeElement.closest("tr")?.at), ASKED));
    await scroll(found);
    faults.push(...differs("rows at the end of the list", await drawn(), found), ...differs("their order", await first(best.length), best));
    return faults;
  });
}

// One bar filters all tables of a model: what is left of each, its drawing, and its section, is of what was chosen.
export async function of_a_model(browser, root) {
  return with_page(browser, {}, address(root), async (page) => {
    await page.goto(address(path.join(root, "en/model/toy/index.html")));
    const faults = [], bars = await page.locator(".filters").count(), state = () => page.evaluate(() => {
      const seen = (e) => e.checkVisibility(), tables = [...document.querySelectorAll("table[data-filter]")];
      return {
        rows: tables.flatMap((t) => [...t.querySelectorAll("tr[data-row]")].filter(seen).map((r) => r.dataset.row)).sort(),
        drawn: [...new Set([...document.querySelectorAll("section svg .chart-row[data-mark]")].filter((m) => m.getAttribute("display") !== "none" && seen(m)).map((m) => m.dataset.mark))].sort(),
        sections: tables.map((t) => [seen(t.closest("section[aria-labelledby]")), [...t.querySelectorAll("tr[data-row]")].some(seen)]),
      };
    });
    const before = await state(), vendors = [...new Set(before.rows.map((r) => r.split("/")[0]))];
    if (bars !== 1 || vendors.length < 2 || before.sections.length < 2) faults.push(`${bars} bars for ${before.sections.length} tables of ${vendors}`);
    for (const vendor of vendors) {
      await page.locator(`.filters select:has(option[value="${vendor}"])`).selectOption(vendor);
      const now = await state(), own = (list) => list.filter((r) => r.startsWith(`${vendor}/`));
      faults.push(...differs(`rows of ${vendor}`, now.rows, own(before.rows)), ...differs(`bars of ${vendor}`, now.drawn, own(before.drawn)));
      faults.push(...now.sections.flatMap(([section, rows], i) => differs(`section ${i} of ${vendor}`, section, rows)));
    }
    await page.locator(".filters input[type=search]").fill("fp32");
    const found = await state();
    if (!found.sections.some(([section]) => !section)) faults.push("no section without rows is hidden");
    await page.locator(".filters button").click();
    return [...faults, ...differs("after the reset", (await state()).rows, before.rows)];
  });
}

// A round of MLPerf: choices by the words of columns, columns that are not shown, an order; the address holds all three.
export async function of_a_round(browser, root) {
  const cells = (page) => page.evaluate(() => [...document.querySelectorAll("table[data-facets] tbody tr")].filter((r) => r.checkVisibility())
    .map((r) => [...r.cells].filter((c) => c.checkVisibility()).map((c) => c.textContent.trim())));
  return with_page(browser, {}, address(root), async (page) => {
    const round = address(path.join(root, "en/mlperf/v5.1/index.html"));
    await page.goto(round);
    const whole = await cells(page), faults = [], bar = page.locator(".filters");
    if (whole.length < 3) return [`a round of ${whole.length} rows, expected three`];
    await bar.locator('select:has(option[value="64"])').selectOption("64");
    const some = await cells(page), at = await page.locator("table[data-facets] th").evaluateAll((l) => l.findIndex((th) => th.dataset.key === "accelerators"));
    faults.push(...differs("rows of 64 accelerators", some, whole.filter((r) => r[at] === "64")));
    await bar.locator("summary").click();
    await bar.locator("label", { hasText: "Division" }).locator("input").last().uncheck();
    faults.push(...differs("without a column", await cells(page), some.map((r) => r.filter((_, i) => i !== 3))));
    const shared = new URL(page.url()).search;
    faults.push(...differs("the address", shared, "?hide=division&accelerators=64"));
    const now = await cells(page);
    await page.goto(round + shared);
    faults.push(...differs("the address opened anew", await cells(page), now));
    await bar.locator("button").last().click();
    faults.push(...differs("all of it again", await cells(page), whole));
    await page.locator('th[data-key="minutes"] button').click();
    const minutes = (await cells(page)).map((r) => +r[at + 1]), falling = minutes[0] > minutes.at(-1);
    return [...faults, ...differs("rows by minutes", minutes, [...minutes].sort((a, b) => (falling ? b - a : a - b)))];
  });
}
