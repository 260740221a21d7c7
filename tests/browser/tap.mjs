// What is seen is told as TAP, as tests/lib.sh does.
let count = 0;

export function told(what, faults) {
  count += 1;
  console.log(`${faults.length ? "not ok" : "ok"} ${count} - ${what}`);
  for (const fault of faults.slice(0, 20)) console.log(`# ${String(fault).replace(/\s+/g, " ").slice(0, 300)}`);
  if (faults.length > 20) console.log(`# and ${faults.length - 20} more`);
}

export function plan() { console.log(`1..${count}`); }

// Where a fault was planted, the first that is found ends the look.
let first_ends = false;
export function until_the_first() { first_ends = true; }

// Both sides as JSON: a fault where they differ.
export function differs(what, found, expected) {
  const a = JSON.stringify(found), b = JSON.stringify(expected), fault = `${what}: found ${a}, expected ${b}`;
  if (a !== b && first_ends) throw new Error(fault);
  return a === b ? [] : [fault];
}

// Every item through `work`, two at a time: the browser is another process.
export async function each(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => { while (next < items.length) { const i = next++; results[i] = await work(items[i]); } };
  await Promise.all([worker(), worker()]);
  return results.flat();
}
