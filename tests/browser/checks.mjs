// What holds for a page of any kind. Each returns its faults.
import fs from "node:fs";
import { address, need, with_page } from "./browser.mjs";
import { leads } from "./pages.mjs";

const AXE = fs.readFileSync(need.resolve("axe-core/axe.min.js"), "utf-8");
const at = (place, faults) => faults.map((f) => `${place.here}: ${f}`);

const open_all = () => document.querySelectorAll("details").forEach((d) => { d.open = true; });

// Several looks at one page that has been opened once, from a folder: each gives its own faults, and
// what the page complains about meanwhile stands with the first.
export async function looked_at(browser, root, place, looks) {
  const told = looks.map(() => []);
  const complaints = await with_page(browser, {}, address(root), async (page) => {
    await page.goto(address(place.file));
    for (const [i, look] of looks.entries()) told[i].push(...at(place, await look(page, root)));
  });
  told[0].push(...at(place, complaints));
  return told;
}
export const alone = (look) => async (browser, root, place) => (await looked_at(browser, root, place, [look])).flat();

// As read from a folder: silent, every link leads somewhere.
export async function links(page, root) {
  const hrefs = await page.evaluate(() => [...document.querySelectorAll("a[href], link[href], script[src]")].map((e) => e.href || e.src));
  return [...new Set(hrefs)].flatMap((href) => leads(root, href));
}

export async function served(browser, base, place) {
  return at(place, await with_page(browser, {}, base, async (page) => { await page.goto(base + place.here); }));
}

// Structure is the same in both colour schemes, and colours, which are most of the work, are those of the style sheet in
// both languages: Chinese pages are looked at for their structure, the second scheme for its colours.
const COLOURS = ["color-contrast", "link-in-text-block"];
const STRUCTURE = { rules: Object.fromEntries(COLOURS.map((id) => [id, { enabled: false }])) };

// No element has a style of its own: of those with text that have the same classes within the same, two are looked at for
// their colours and all else is taken away, as axe looks through the whole page for what may lie behind each.
const leave_two_of_each_class = () => {
  const seen = new Map(), paths = new Map([[document.documentElement, ""]]), kept = new Set();
  const path = (e) => {
    if (!paths.has(e)) paths.set(e, `${path(e.parentElement)}>${e.localName}.${e.getAttribute("class") ?? ""}[${e.getAttributeNames().sort()}]`);
    return paths.get(e);
  };
  const all = [...document.body.querySelectorAll("*")], has_text = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
  for (const one of all.filter((e) => e.matches("input, select, option") || has_text(e))) {
    seen.set(path(one), (seen.get(path(one)) ?? 0) + 1);
    if (seen.get(path(one)) <= 2) for (let e = one; e && !kept.has(e); e = e.parentElement) kept.add(e);
  }
  all.filter((e) => !kept.has(e)).forEach((e) => e.remove());
};
export async function axe(page) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(open_all);
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(AXE);
  const run = (scheme, options) => page.evaluate((o) => globalThis.axe.run(document, o), { preload: false, resultTypes: ["violations"], ...options })
    .then((r) => r.violations.flatMap((v) => v.nodes.map((n) => `${scheme}: ${v.id}: ${n.target.join(" ")}: ${v.help}: ${n.any[0]?.message ?? ""}`)));
  if (await page.evaluate(() => document.documentElement.matches(":lang(zh)"))) return run("zh", STRUCTURE);
  const faults = await run("light", STRUCTURE);
  if (!process.env.LONG) await page.evaluate(leave_two_of_each_class);
  faults.push(...await run("light", { runOnly: COLOURS }));
  await page.emulateMedia({ colorScheme: "dark" });
  return [...faults, ...await run("dark", { runOnly: COLOURS })];
}

// A telephone's width, and the least that a page has to reflow to (WCAG 2.2, 1.4.10): what is wider
// scrolls in its own box, and no figure stands over its neighbour.
export async function narrow(page) {
  const faults = [];
  await page.evaluate(open_all);
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    faults.push(...await narrow_at(page, width));
  }
  return faults;
}

// Lists have the room that there is: as cards where a table has too little, and as a table whatever one row writes.
export async function roomy(page) {
  const faults = [];
  for (const width of [768, 1016, 1024, 1280, 1281, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    faults.push(...await page.evaluate((width) => [...document.querySelectorAll(".scroll:has(> .rows)")].filter((e) => e.scrollWidth > e.clientWidth + 1)
      .map((e) => `a list is ${e.scrollWidth} px wide at ${width}, where it has ${e.clientWidth}`), width));
    if (width >= 1024) faults.push(...await page.evaluate((width) => [...document.querySelectorAll("table.rows")].filter((e) => getComputedStyle(e).display !== "table").map(() => `a list is no table at ${width}`), width));
  }
  return faults.slice(0, 3);
}
const narrow_at = (page, width) => page.evaluate((limit) => {
    const wide = document.scrollingElement.scrollWidth;
    const over = [...document.querySelectorAll(".rows td .mark, .rows td .value")].find((e) => e.getBoundingClientRect().right > (e.closest("td").nextElementSibling?.getBoundingClientRect().top === e.closest("td").getBoundingClientRect().top ? e.closest("td").nextElementSibling.getBoundingClientRect().left : limit) + 1);
    if (over) return [`at ${limit} px a figure stands over its neighbour: ${over.closest("tr").textContent.trim().slice(0, 40)}: ${over.textContent}`];
    const bare = [...document.querySelectorAll(".rows td[data-unit]:not(:has(.unit, .none))")].find((e) => !getComputedStyle(e, "::before").content.includes(e.dataset.unit));
    if (bare) return [`a figure without its unit: ${bare.textContent}`]; // the head of the table that has it is not shown
    const own = [...document.querySelectorAll(".scroll:has(> .scaled, > .rows, > .compared, > .pair, > .inputs, > .plans, > .published.wide)")].find((e) => limit === 360 && e.scrollWidth > e.clientWidth + 1);
    if (own) return [`a table of ours scrolls sideways at ${limit} px: ${own.getAttribute("aria-label")}, ${own.scrollWidth} px`];
    const mute = [...document.querySelectorAll(".rows td[data-arrow]:not(:has(> .none))")].find((e) => !getComputedStyle(e, "::before").content.includes(e.dataset.arrow));
    if (mute) return [`a figure without its direction: ${mute.dataset.label}`];
    const cut = [...document.querySelectorAll(".rows td[data-label]")].find((e) => getComputedStyle(e, "::before").overflow !== "visible");
    if (cut) return [`the name and unit of a figure may be cut: ${cut.dataset.label}`];
    if (wide <= limit) return [];
    const out = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > limit + 1 && !e.closest(".scroll, pre, svg"));
    return [`${wide} px wide at ${limit}: ${out.slice(0, 3).map((e) => `<${e.localName} class="${e.className}">`).join(", ")}`];
  }, width);

// What few readers need is folded, and figures stand abreast: a telephone is not scrolled for ever.
export async function short(page) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  await page.setViewportSize(before);
  return screens <= 15 ? [] : [`${screens.toFixed(1)} screens of a telephone long`];
}

// What a finger has to hit is 24 px wide and high, or has as much room around it (WCAG 2.2, 2.5.8).
export async function targets(page) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(open_all);
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(AXE);
  return page.evaluate(() => globalThis.axe.run(document, { runOnly: ["target-size"], preload: false, resultTypes: ["violations"] }))
    .then((r) => r.violations.flatMap((v) => v.nodes.map((n) => `${n.target.join(" ")}: ${n.any.concat(n.all, n.none)[0]?.message ?? v.help}`)));
}

// Without a script: the same tables, rows and drawings, and nothing that waits for one.
export async function scriptless(browser, root, place) {
  const seen = async (page) => {
    await page.goto(address(place.file));
    return page.evaluate(() => ({
      rows: [...document.querySelectorAll("main tbody tr:not(.group)")].filter((r) => r.checkVisibility() || r.closest("details")).length,
      written: document.querySelectorAll("main table tbody tr:not(.group)").length,
      drawings: document.querySelectorAll("main svg").length,
      promised: [...document.querySelectorAll(".scripted, .search-box:not(:empty)")].filter((e) => e.checkVisibility()).map((e) => e.textContent.trim().slice(0, 60)),
      instead: [...document.querySelectorAll(".unscripted")].filter((e) => e.checkVisibility()).flatMap((e) => [...e.querySelectorAll("a")].map((a) => a.getAttribute("href"))),
      dead: [...document.querySelectorAll("button, input, select")].filter((e) => e.checkVisibility()).length,
    }));
  };
  return at(place, await with_page(browser, { javaScriptEnabled: false }, address(root), async (page) => {
    const without = await seen(page), faults = [], expected = fs.readFileSync(place.file, "utf-8").split(/<tr\b/).length > 1;
    if (expected && !without.written) faults.push("no table without a script");
    if (without.rows !== without.written) faults.push(`${without.written - without.rows} rows are hidden without a script`);
    if (without.promised.length) faults.push(`without a script it promises: ${without.promised}`);
    if (place.kind === "search" && !without.instead.some((href) => href.endsWith("/results/index.html"))) faults.push(`instead of a search there is only: ${without.instead}`);
    if (without.dead) faults.push(`${without.dead} controls do nothing without a script`);
    return faults;
  }));
}

// On a telephone a word of a few letters stands on one line, "bf16+fp8" too, and a sign on that of its word.
export async function whole(page) {
  await page.setViewportSize({ width: 360, height: 740 });
  return page.evaluate(() => {
    const range = document.createRange(), broken = new Set();
    const spans = (node, from, to) => { range.setStart(node, from); range.setEnd(node, to); return [...range.getClientRects()].filter((r) => r.width); };
    const texts = (e) => { const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), all = []; for (let n; (n = walk.nextNode());) if (n.data.trim() && n.parentElement.checkVisibility()) all.push(n); return all; };
    for (const n of texts(document.querySelector("main"))) {
      if (n.parentElement.closest("svg, pre, .sum, .facts code")) continue; // sums of 64 digits
      for (const m of n.data.matchAll(/[\p{Script=Latin}\d+_.%]{2,12}/gu)) {
        if (/[\p{Script=Latin}\d+_.%]/u.test((n.data[m.index - 1] ?? " ") + (n.data[m.index + m[0].length] ?? " "))) continue; // part of a longer one
        const lines = new Set(spans(n, m.index, m.index + m[0].length).map((r) => Math.round(r.top)));
        if (lines.size > 1) broken.add(`broken within: ${m[0]} in ${n.parentElement.outerHTML.slice(0, 80)}`);
      }
    }
    document.querySelectorAll("main .mark > i, main .why > i, .legend .mark").forEach((e) => {
      const mark = e.matches(".mark") ? e : e.parentElement, [sign, word] = texts(mark).flatMap((n) => spans(n, n.data.search(/\S/), n.data.search(/\S/) + 1).concat(n.data.trim().length > 2 ? spans(n, n.data.search(/\S\S/), n.data.search(/\S\S/) + 2) : []));
      if (sign && word && word.top >= sign.bottom - 2) broken.add(`a sign alone: ${mark.textContent}`);
    });
    return [...broken].slice(0, 5);
  });
}

// On paper, from a screen that is dark: black on white, states framed, what was folded is there,
// nothing beyond the edge (of A4 between its margins).
export async function printed(page) {
  const wide = await page.locator(".rows").count() ? 1031 : 687; // within the edges of A4; lists lie on their side
  await page.setViewportSize({ width: wide, height: 1000 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const faults = await page.evaluate((wide) => {
    const of = (e) => getComputedStyle(e), lost = [], text = document.createRange();
    if (of(document.body).backgroundColor !== "rgb(255, 255, 255)") lost.push(`printed on ${of(document.body).backgroundColor}`);
    if (of(document.body).color !== "rgb(0, 0, 0)") lost.push(`printed in ${of(document.body).color}`);
    document.querySelectorAll("main .state, main .outcome").forEach((e) => { if (parseFloat(of(e).borderTopWidth) === 0) lost.push(`no frame: ${e.textContent}`); });
    document.querySelectorAll("main tr").forEach((e) => { if (!e.closest(".drawing") && !e.checkVisibility()) lost.push(`not printed: ${e.textContent.slice(0, 60)}`); });
    document.querySelectorAll(".chart-narrow").forEach((e) => { if (e.checkVisibility()) lost.push("a chart for telephones is printed"); });
    // Chromium repeats no head with a box of its own in it, and moves what does not fit to the next sheet, heading and all.
    document.querySelectorAll("thead th > button").forEach((e) => { if (of(e).display !== "contents") lost.push(`a head that is not repeated: ${e.textContent}`); });
    document.querySelectorAll("svg.chart").forEach((e) => {
      const drawn = e.getBoundingClientRect(), words = 12 * e.getScreenCTM().a, title = e.querySelector("title").textContent;
      if (drawn.height > 504) lost.push(`a drawing of more than half a sheet: ${title}`);
      if (drawn.width && words < 8) lost.push(`words of ${(words * .75).toFixed(1)} pt in a drawing: ${title}`);
    });
    document.querySelectorAll("main summary").forEach((e) => { if (!e.closest(".drawing, .rules, .rows, .filtering") && !e.checkVisibility()) lost.push(`a heading that is not printed: ${e.textContent}`); });
    document.querySelectorAll(".rows th, .rows td").forEach((e) => {
      const cell = e.getBoundingClientRect();
      text.selectNodeContents(e);
      if ([...text.getClientRects()].some((r) => r.width && (r.left < cell.left - 1 || r.right > cell.right + 1))) lost.push(`beyond its cell: ${e.textContent.slice(0, 60)}`);
    });
    if (document.scrollingElement.scrollWidth > wide + 1) lost.push(`${document.scrollingElement.scrollWidth} px wide on paper`);
    return lost.slice(0, 5);
  }, wide);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  return faults;
}

// Tab alone: the link over the head first, then everything that can be used, in the order of the text, seen.
export async function tab(page) {
  const total = await page.evaluate(() => {
    const usable = "a[href], button, input, select, summary, [tabindex]";
    globalThis.all = [...document.querySelectorAll(usable)].filter((e) => e.checkVisibility() && e.tabIndex >= 0);
    globalThis.path = [];
    globalThis.unseen = new Set();
    document.addEventListener("focusin", (event) => {
      const e = event.target, style = getComputedStyle(e), box = e.getBoundingClientRect();
      if (all.includes(e)) path.push(all.indexOf(e));
      if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) unseen.add(`no outline: ${e.outerHTML.slice(0, 100)}`);
      if (box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight) unseen.add(`focused out of sight: ${e.outerHTML.slice(0, 100)}`);
    });
    return all.length;
  });
  await Promise.all(Array.from({ length: total + 3 }, () => page.keyboard.press("Tab"))); // in this order, without waiting for each
  return page.evaluate(() => {
    const faults = [...unseen], missed = all.filter((e, i) => !path.includes(i));
    missed.forEach((e) => faults.push(`Tab does not reach ${e.outerHTML.slice(0, 100)}`));
    const jumps = path.slice(1).filter((to, i) => to !== path[i] + 1 && to !== 0).length;
    if (jumps) faults.push(`${jumps} jumps in the order of Tab`);
    if (document.querySelector("header.top") && !(all[0]?.matches("a.skip[href='#main']"))) faults.push("no link over the head at first");
    return faults;
  });
}

export async function skips(page) {
  await page.keyboard.press("Tab");
  const shown = await page.evaluate(() => document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().left >= 0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(() => document.activeElement.closest("main, footer") !== null);
  return [...shown ? [] : ["the link over the head is not seen when it has the focus"], ...inside ? [] : ["it does not lead past the head"]];
}

export function validator(config) {
  const { HtmlValidate } = need("html-validate"), checker = new HtmlValidate(config);
  return (place) => at(place, (checker.validateFileSync(place.file).results[0]?.messages ?? []).map((m) => `${m.line}:${m.column}: ${m.ruleId}: ${m.message}`));
}

// Nothing that a record says became an element, a handler, an address with a script, or an order of reading.
export async function inert(page) {
  return page.evaluate(() => {
    const faults = [], mine = "script, img, iframe, object, embed, base, form, style";
    document.querySelectorAll(mine).forEach((e) => { if (!e.matches("head > script[src$='site.js'], script[type='application/ld+json']")) faults.push(`element ${e.outerHTML.slice(0, 80)}`); });
    document.querySelectorAll("*").forEach((e) => [...e.attributes].forEach((a) => {
      if (/^on/.test(a.name)) faults.push(`handler ${a.name}`);
      if (/zqx/.test(a.name) || /zqx/.test(e.localName)) faults.push(`markup <${e.localName} ${a.name}>`);
      if (["href", "src", "xlink:href"].includes(a.name) && /^\s*(javascript|data|vbscript):/i.test(a.value)) faults.push(`address ${a.value.slice(0, 60)}`);
    }));
    document.querySelectorAll(".conf *, .by, td > .value").forEach((e) => { if (!/isolate/.test(getComputedStyle(e).unicodeBidi)) faults.push(`not isolated: ${e.outerHTML.slice(0, 60)}`); });
    if (/[\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.textContent)) faults.push("an override of the direction of text");
    return faults;
  });
}

// Atom (RFC 4287) and site map as an XML parser sees them, with what each must have.
export async function feeds(browser, root, listed) {
  return with_page(browser, {}, "file:", async (page) => (await Promise.all(listed.map((file) => page.evaluate(([name, text]) => {
    const xml = new DOMParser().parseFromString(text, "application/xml"), faults = [], broken = xml.querySelector("parsererror");
    const child = (e, tag) => [...e.children].find((c) => c.localName === tag);
    const wants = (e, tags) => tags.forEach((t) => { if (!child(e, t)?.textContent.trim()) faults.push(`${name}: <${e.localName}> has no ${t}`); });
    if (broken) return [`${name}: ${broken.textContent}`];
    const top = xml.documentElement, all = [...xml.querySelectorAll("entry, url")];
    if (top.localName === "urlset") {
      if (top.namespaceURI !== "http://www.sitemaps.org/schemas/sitemap/0.9") faults.push(`${name}: namespace ${top.namespaceURI}`);
      if (!all.length) faults.push(`${name}: no page`);
      all.forEach((e) => wants(e, ["loc"]));
      return faults;
    }
    if (top.localName !== "feed" || top.namespaceURI !== "http://www.w3.org/2005/Atom") faults.push(`${name}: <${top.localName}> of ${top.namespaceURI}`);
    [top, ...all].forEach((e) => {
      wants(e, ["id", "title", "updated"]);
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(child(e, "updated")?.textContent)) faults.push(`${name}: updated ${child(e, "updated")?.textContent}`);
      try { new URL(child(e, "id").textContent); } catch { faults.push(`${name}: id ${child(e, "id")?.textContent} is no IRI`); }
    });
    if (!child(top, "author")) all.forEach((e) => wants(e, ["author"]));
    if (![...top.children].some((c) => c.localName === "link" && c.getAttribute("rel") === "self")) faults.push(`${name}: no link to itself`);
    all.forEach((e) => { if (!child(e, "content") && !child(e, "link")) faults.push(`${name}: an entry without content or link`); });
    return faults;
  }, [file.slice(root.length + 1), fs.readFileSync(file, "utf-8")])))).flat());
}
