/* A sheet to draw a function on, and rows of a CSV file: points of a broken line. */
"use strict";
const Pad = (() => {
  const W = 560, H = 240, MOST = 60, LONGEST = 200; // points that are drawn, and that are pasted
  const get = (id) => document.getElementById(id);
  let points = []; // [x, y], x growing

  const short = (v) => String(+v.toFixed(3));
  const text = () => points.map(([x, y]) => `${x},${y}`).join("\n");

  function show() {
    const known = points.map(([x, y]) => [+x, +y]), xs = known.map((p) => p[0]), ys = known.map((p) => p[1]);
    const [a, b] = drawn ? [0, 1] : [Math.min(...xs), Math.max(...xs)], [c, d] = drawn ? [0, 1] : [Math.min(...ys), Math.max(...ys)];
    const path = known.map(([x, y], k) => `${k ? "L" : "M"}${(W * (x - a)) / (b - a || 1)},${H - (H * (y - c)) / (d - c || 1)}`).join("");
    get("sheet").replaceChildren(...(path ? [Draw.node("path", { class: "line pink", d: path })] : []));
  }

  /* What the pointer passes: one value for each of some columns; between two of them, all are filled. */
  let drawn = true, last = null;
  function pass(event) {
    const box = get("sheet").getBoundingClientRect();
    const x = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)), y = Math.min(1, Math.max(0, 1 - (event.clientY - box.top) / box.height));
    const k = Math.round(x * MOST), columns = new Map(points.map(([u, v]) => [Math.round(u * MOST), v]));
    const [k0, y0] = last ?? [k, y];
    for (let j = Math.min(k0, k); j <= Math.max(k0, k); j++)
      columns.set(j, short(k === k0 ? y : y0 + ((y - y0) * (j - k0)) / (k - k0)));
    last = [k, y];
    points = [...columns].sort((p, q) => p[0] - q[0]).map(([j, v]) => [short(j / MOST), v]);
    show();
  }

  function read() {
    const found = get("rows").value.split("\n").map((row) => row.split(/[,;\t]/).map((v) => v.trim()).slice(0, 2));
    const numbers = found.filter((row) => row.length === 2 && row.every((v) => v !== "" && Number.isFinite(+v)));
    return numbers.sort((p, q) => p[0] - q[0]).filter((p, k, all) => !k || +p[0] !== +all[k - 1][0]);
  }

  /* Of long files every n-th row: the message says so. */
  function thinned(rows) {
    const step = Math.ceil(rows.length / LONGEST);
    return rows.filter((_, k) => k % step === 0 || k === rows.length - 1);
  }

  function start(use) {
    const sheet = get("sheet");
    sheet.addEventListener("pointerdown", (e) => { drawn = true; if (get("rows").value !== text()) points = []; last = null; sheet.setPointerCapture(e.pointerId); pass(e); });
    sheet.addEventListener("pointermove", (e) => { if (e.buttons) pass(e); });
    sheet.addEventListener("pointerup", () => { last = null; get("rows").value = text(); });
    get("rows").addEventListener("input", () => { drawn = false; points = read(); show(); });
    get("pad-open").addEventListener("click", () => {
      get("pad").hidden = !get("pad").hidden;
      get("pad-open").setAttribute("aria-expanded", String(!get("pad").hidden));
    });
    get("pad-clear").addEventListener("click", () => { points = []; get("rows").value = ""; show(); });
    get("pad-use").addEventListener("click", () => {
      const given = get("rows").value.split("\n").filter((row) => row.trim()).length, kept = thinned(read());
      if (kept.length < 2) { use(null, "Draw a line, or give two rows x,y or more."); return; }
      use("data:" + kept.map((p) => p.join(",")).join("; "), kept.length < given ? `Of ${given} rows ${kept.length} are used: a head, rows without two numbers, a second value at one x, and what is beyond ${LONGEST} rows are left out.` : "");
    });
  }

  return { start };
})();
