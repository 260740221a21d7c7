// Figures that are written in many ways (tests/cli/build/browser.sh makes a site of them): what sorts and
// compares is the number that the verifier read. Expectations are from what was written down there.
import path from "node:path";
import { address, with_page } from "./browser.mjs";
import { differs } from "./tap.mjs";

const at = (browser, root, here, work) => with_page(browser, {}, address(root), async (page) => {
  const [file, query = ""] = here.split("?");
  await page.goto(address(path.join(root, file)) + (query && `?${query}`));
  return work(page);
});
const LIST = "en/results/index.html", RATE = "Throughput";

// The rows of acme/toy in their order, each by the last word of its configuration.
const order = (page) => page.locator("tr[data-row^='acme/toy']").evaluateAll((l) => l.map((r) => r.querySelector(".conf span").textContent.trim().split(" ").pop()).join(" "));

const key = (page, name) => page.locator("tr[data-row^='acme/toy']").evaluateAll((l, name) => l.find((r) => r.querySelector(".conf span").textContent.trim().endsWith(` ${name}`)).dataset.row, name);

// What a comparison of these rows says below their figures, in the row of the table that is named so.
async function compared(browser, root, names, row) {
  let said;
  const faults = await at(browser, root, LIST, async (page) => {
    const keys = [];
    for (const name of names) keys.push(await key(page, name));
    await page.goto(`${page.url().replace(/\?.*/, "")}?compare=${keys.join(",")}`);
    said = await page.locator(".comparison tbody tr").evaluateAll((l, row) => [...l.find((r) => r.cells[0].textContent.trim().startsWith(row)).cells].slice(1).map((c) => ({
      said: c.querySelector(".factor, .value ~ em.none")?.textContent ?? "", bar: Math.round(parseFloat(c.querySelector("i[style]")?.style.width ?? "0")) })), row);
    return [];
  });
  return { said: said ?? [], faults };
}

// Numbers in many forms: 8,700, 1e4, 3.56k, a share as a ratio beside percentages, a range.
export async function numbers(browser, root) {
  const faults = await at(browser, root, LIST, async (page) => {
    const press = (column) => page.locator(`th[data-key="${column}"] button`).click();
    await press("throughput");
    const rate = await order(page);
    await press("mfu");
    return [...differs("by throughput", rate, "g h b c a e f none d"), ...differs("by MFU", await order(page), "c a d h b g f e none")];
  });
  const rates = await compared(browser, root, ["a", "b", "e", "d"], RATE), shares = await compared(browser, root, ["b", "d"], "MFU");
  return [...faults, ...rates.faults, ...shares.faults,
    ...differs("rates side by side", rates.said.map((c) => c.said), ["", "1.15×", "0.409×", "not comparable: the value is not a single number"]),
    ...differs("shares side by side", shares.said.map((c) => c.said), ["", "1.17×"])];
}

// A contradicted figure has neither factor nor bar nor difference, and nothing is measured by it.
export async function contradicted(browser, root) {
  const beside = await compared(browser, root, ["b", "c", "d"], "MFU"), base = await compared(browser, root, ["c", "b"], "MFU");
  const pair = await at(browser, root, "en/compare/acme-toy..globex-toy/index.html", async (page) => {
    const cells = await page.locator("tr:has(td .contradicted)").evaluateAll((l) => l.flatMap((r) => [...r.querySelectorAll("td")].flatMap((c, i, all) =>
      i % 3 === 2 && [all[i - 2], all[i - 1]].every((x) => x.querySelector(".mark, .none")) && !c.querySelector(".mark") && (all[i - 1].querySelector(".contradicted") || all[i - 2].querySelector(".contradicted")) ? [c.textContent.trim()] : [])));
    return cells.length && cells.every((c) => c === "not comparable: a check contradicts the value") ? [] : [`differences with contradicted figures: ${[...new Set(cells)]}`];
  });
  return [...beside.faults, ...base.faults, ...pair,
    ...differs("beside the base", beside.said.map((c) => [c.said, c.bar]), [["", 86], ["not comparable: a check contradicts the value", 0], ["1.17×", 100]]),
    ...differs("as the base", base.said.map((c) => c.said), ["not comparable: a check contradicts the value", "not comparable: a check contradicts the base value"])];
}

// A figure that a warning doubts is compared, and its mark stands beside it; rows that recompute otherwise than the first are named.
export async function doubted(browser, root) {
  const { said, faults } = await compared(browser, root, ["b", "h"], "MFU");
  const there = await at(browser, root, LIST, async (page) => {
    const keys = [await key(page, "b"), await key(page, "h"), await key(page, "a")];
    await page.goto(`${page.url().replace(/\?.*/, "")}?compare=${keys.join(",")}`);
    return [...differs("its mark", await page.locator(".comparison td .warned").allTextContents(), ["≠\u00a0differs (warning)"]),
      ...differs("recomputed otherwise", (await page.locator(".compare-any .apart li").allTextContents()).map((t) => t.split(" – ").pop()), ["recomputation used (method not stated) (base: none)"])];
  });
  return [...faults, ...there, ...differs("beside the base", said.map((c) => [c.said, c.bar]), [["", 100], ["1.003×", 100]])];
}

// Why there is no factor: the base has no number, or the result was withdrawn; and of which there is one of other sizes.
export async function reasons(browser, written, moved) {
  const none = await compared(browser, written, ["none", "b", "none"], RATE);
  const others = await at(browser, moved, LIST, async (page) => {
    const rows = await page.locator("tr[data-row]").evaluateAll((l) => Object.fromEntries(l.map((r) => [`${r.dataset.vendor} ${r.querySelector(".conf span").textContent.trim().split(" ").pop()}`, r.dataset.row])));
    const beside = async (names) => {
      await page.goto(`${page.url().replace(/\?.*/, "")}?compare=${names.map((n) => rows[n]).join(",")}`);
      return page.evaluate((row) => [...document.querySelectorAll(".comparison tbody tr")].find((r) => r.cells[0].textContent.trim().startsWith(row)).cells[2].querySelector(".factor, .value ~ em.none").textContent, RATE);
    };
    const size = await beside(["acme a", "acme new"]), told = await page.locator(".compare-any .apart li").allTextContents();
    const faults = differs("another size", [size, told.map((t) => t.split(" – ").pop())], ["1.000×", ["2×8 (base: 1×8)"]]);
    return [...faults, ...differs("withdrawn", await beside(["acme a", "globex b"]), "not comparable: withdrawn"), ...differs("the base is withdrawn", await beside(["globex b", "acme a"]), "not comparable: the base is withdrawn")];
  });
  return [...none.faults, ...others, ...differs("no number of the base", none.said.map((c) => c.said).slice(0, 2), ["", "not comparable: the base is withheld"])];
}

// Less is better of a loss, of any row the newest comes first; what is asked for again is turned.
export async function first_click(browser, root) {
  return at(browser, root, LIST, async (page) => {
    const first = async (column) => {
      await page.locator(`th[data-key="${column}"] button`).click();
      return page.locator("th[aria-sort]").getAttribute("aria-sort");
    };
    const loss = await first("loss"), losses = await order(page), faults = [];
    for (const [column, wanted] of [["date", "descending"], ["deviation", "ascending"], ["throughput", "descending"], ["result", "ascending"]]) {
      faults.push(...differs(column, await first(column), wanted));
    }
    return [...faults, ...differs("loss", [loss, losses], ["ascending", "b d e g a h c f none"])];
  });
}

// What was chosen, sorted and ticked is there in the other language, too.
export async function languages(browser, root) {
  return at(browser, root, `${LIST}?vendor=acme&sort=-loss`, async (page) => {
    await page.locator("tr[data-row^='acme/toy'] input[type=checkbox]").first().check();
    const asked = await page.evaluate(() => location.search), rows = await order(page);
    await page.locator("header a[hreflang]").click();
    await page.waitForURL(/zh/);
    const there = await page.evaluate(() => [document.documentElement.lang, location.search]);
    const faults = [...differs("the address there", there, ["zh-CN", asked]), ...differs("the rows there", await order(page), rows)];
    return /vendor=acme.*sort=-loss|sort=-loss.*vendor=acme/.test(asked) && asked.includes("compare=") ? faults : [...faults, `the address was ${asked}`];
  });
}

// A row that was chosen on a site and is looked for on the next one: where it is now, or it is said that
// it is no longer there. Addresses hold its place and the digest of its configuration.
export async function moved(browser, before, after) {
  const faults = [], keys = {};
  faults.push(...await at(browser, before, LIST, async (page) => {
    for (const name of ["none", "a", "b", "c", "d", "e", "g"]) keys[name] = await key(page, name);
    return [];
  }));
  const words = { en: { lost: "The following rows no longer exist", unsure: "only by their position", gone: "1 of the rows that you selected is not on this page" }, zh: { lost: "以下行已不存在", unsure: "只用位置标识", gone: "有 1 行不在本页" } };
  for (const lang of ["en", "zh"])
    for (const [what, asked, shown, said] of [
      ["rows that moved", ["c", "a"], "c a", {}],
      ["one that is gone, alone", ["b"], "", { lost: "acme/toy:1.3" }],
      ["one that is gone, among others", ["a", "b", "g"], "a g", { lost: "acme/toy:1.3" }],
      ["another batch size", ["none", "d"], "none", { lost: "acme/toy:1.5" }],
      ["two that are gone", ["b", "d", "a"], "a", { lost: /acme\/toy:1\.3. ?acme\/toy:1\.5/ }],
      ["one of two of its configuration", ["e", "a"], "e a", { unsure: "acme/toy:1.6" }],
      ["a place alone, as addresses were", ["acme/toy:1.1", "a"], "new a", { unsure: "acme/toy:1.1" }],
      ["a place that is not there", ["acme/toy:1.44", "a"], "a", { lost: "acme/toy:1.44" }],
      ["a result", ["acme/toy", "a"], "new a", {}],
      ["no result", ["acme/other:1.1-00000000", "a"], "a", { gone: "" }],
      ["words in place of a row", ["acme/toy:1.3 is verified$&{rows}", "a"], "a", { gone: "" }],
      ["words behind a row", ["acme/toy:1.3-$&0000 is verified", "a"], "a", { gone: "" }]])
      faults.push(...await at(browser, after, `${lang}/results/index.html?compare=${asked.map((k) => encodeURIComponent(keys[k] ?? k)).join(",")}`, async (page) => {
        const now = await page.evaluate(() => ({
          shown: (new URLSearchParams(location.search).get("compare") ?? "").split(",").filter(Boolean).map((k) => {
            const row = document.querySelector(`tr[data-row="${CSS.escape(k)}"]`);
            return row?.querySelector("input:checked") ? row.querySelector(".conf span").textContent.trim().split(" ").pop() : `${k}?`;
          }).join(" "),
          columns: document.querySelectorAll(".comparison thead th").length,
          said: [...document.querySelectorAll(".compare-any > [role=status]")].map((e) => e.textContent) }));
        const n = shown.split(" ").length, wanted = Object.entries(said);
        return [...differs(`${lang}: ${what}`, [now.shown, now.columns, now.said.length], [shown, n > 1 ? n : 0, wanted.length]),
          ...wanted.flatMap(([kind, names]) => now.said.some((t) => t.includes(words[lang][kind]) && (names instanceof RegExp ? names.test(t) : t.includes(names))) ? [] : [`${lang}: ${what}: said ${JSON.stringify(now.said)}`])];
      }));
  return faults;
}
