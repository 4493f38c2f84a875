/* Charts as SVG: axes, lines, dots; saved as SVG or PNG with the colours they are seen in. */
"use strict";
const Draw = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const LEFT = 62, RIGHT = 14, TOP = 32, BELOW = 44;
  const WIDE = [560, 340], NARROW = [380, 270]; // on a phone words keep their size

  function node(name, attributes = {}, text) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) if (key === "style") made.style.cssText = value; else made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function short(v) {
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size >= 1e5 || size < 1e-3) return v.toExponential(2).replace("e+", "e").replace(/\.?0+e/, "e");
    return String(+v.toPrecision(3));
  }

  function ticks(low, high, log) {
    if (log) {
      const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
      for (const [factors, step] of [[[1, 2, 5], 1], [[1], 1], [[1], Math.ceil((to - from) / 6)]]) {
        const found = [];
        for (let k = from; k <= to; k += step) found.push(...factors.map((f) => f * 10 ** k));
        const inside = found.filter((v) => v >= low * 0.999 && v <= high * 1.001);
        if (inside.length <= 8) return inside;
      }
      return [low, high];
    }
    const span = high - low || 1, rough = span / 5, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
    const found = [];
    for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) found.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return found;
  }

  function range(lists, log, pad) {
    let low = Infinity, high = -Infinity;
    for (const list of lists) for (const v of list) {
      if (!Number.isFinite(v) || (log && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
    if (low > high) return log ? [1, 10] : [0, 1];
    if (log) return low === high ? [low / 2, high * 2] : [low / 1.15 ** pad, high * 1.15 ** pad];
    const span = Math.max(high - low, 1e-9) || 1;
    return [low - 0.05 * span * pad, high + 0.05 * span * pad];
  }

  /* options: {label, xlabel, ylabel, logy, logx, xs:[low,high], ys, series:[{x,y,kind,colour,name}], band:[y0,y1], square} */
  function chart(options) {
    const [W, height] = innerWidth < 600 ? NARROW : WIDE, H = options.square ? BELOW + TOP + W - LEFT - RIGHT : height;
    const svg = node("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": options.label });
    svg.append(node("title", {}, options.label));
    const series = options.series.filter((s) => s.x.length);
    const [x0, x1] = options.xs || range(series.map((s) => s.x), options.logx, 0);
    const [y0, y1] = options.ys || range(series.map((s) => s.y), options.logy, 1);
    const bend = (v, log) => (log ? Math.log(v) : v);
    const place = (v, a, b, from, to, log) => from + ((bend(v, log) - bend(a, log)) / (bend(b, log) - bend(a, log) || 1)) * (to - from);
    const X = (v) => place(v, x0, x1, LEFT, W - RIGHT, options.logx);
    const Y = (v) => place(v, y0, y1, H - BELOW, TOP, options.logy);
    for (const v of ticks(y0, y1, options.logy)) {
      svg.append(node("path", { class: "tick", d: `M${LEFT},${Y(v)}H${W - RIGHT}` }));
      svg.append(node("text", { x: LEFT - 6, y: Y(v) + 4, "text-anchor": "end" }, short(v)));
    }
    for (const v of options.whole ? wholes(x0, x1) : ticks(x0, x1, options.logx))
      svg.append(node("text", { x: X(v), y: H - BELOW + 17, "text-anchor": "middle" }, short(v)));
    svg.append(node("path", { class: "axis", d: `M${LEFT},${TOP}V${H - BELOW}H${W - RIGHT}` }));
    svg.append(node("text", { x: (LEFT + W) / 2, y: H - 8, "text-anchor": "middle" }, options.xlabel || ""));
    svg.append(node("text", { transform: `translate(14 ${(H - BELOW) / 2}) rotate(-90)`, "text-anchor": "middle" }, options.ylabel || ""));
    if (options.band) {
      const top = Y(Math.min(options.band[1], y1)), bottom = Y(Math.max(options.band[0], y0));
      svg.append(node("rect", { class: "band", x: LEFT, width: W - RIGHT - LEFT, y: top, height: Math.max(0, bottom - top) }));
    }
    for (const s of series) mark(svg, s, X, Y);
    legend(svg, series.filter((s) => s.name), W);
    return svg;
  }

  function wholes(a, b) {
    const found = [];
    for (let k = Math.ceil(a); k <= b; k++) found.push(k);
    return found;
  }

  function mark(svg, s, X, Y) {
    const colour = s.colour || "blue";
    if (s.kind === "dots") {
      for (let k = 0; k < s.x.length; k++)
        svg.append(node("circle", { class: `dot ${colour}`, cx: X(s.x[k]).toFixed(1), cy: Y(s.y[k]).toFixed(1), r: s.size || 3 }));
      return;
    }
    let path = "", pen = "M";
    for (let k = 0; k < s.x.length; k++) {
      if (!Number.isFinite(s.y[k])) { pen = "M"; continue; }
      path += `${pen}${X(s.x[k]).toFixed(1)},${Y(s.y[k]).toFixed(1)}`;
      pen = s.kind === "steps" && k + 1 < s.x.length ? "L" : "L";
    }
    if (path) svg.append(node("path", { class: `line ${colour} ${s.thin ? "thin" : ""} ${s.under ? "under" : ""}`, d: path }));
    if (s.kind === "both") mark(svg, { ...s, kind: "dots", size: 4 }, X, Y);
  }

  /* Above the axes; on two lines where one is too short. */
  function legend(svg, named, W) {
    const sizes = named.map((s) => 40 + 6.6 * s.name.length), fits = LEFT + 8 + sizes.reduce((a, b) => a + b, 0) <= W;
    let x = LEFT + 8, y = fits ? TOP - 16 : TOP - 26;
    named.forEach((s, k) => {
      if (x > LEFT + 8 && x + sizes[k] > W) [x, y] = [LEFT + 8, TOP - 10];
      if (s.kind === "dots") svg.append(node("circle", { class: `dot ${s.colour || "blue"}`, cx: x + 9, cy: y, r: 3 }));
      else svg.append(node("path", { class: `line ${s.colour || "blue"}`, d: `M${x},${y}h18` }));
      svg.append(node("text", { x: x + 23, y: y + 4 }, s.name));
      x += sizes[k];
    });
  }

  const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font"];
  function plain(svg) {
    const copy = svg.cloneNode(true);
    const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
    from.forEach((part, k) => {
      const seen = getComputedStyle(part);
      for (const name of STYLES) to[k].style.setProperty(name, seen.getPropertyValue(name));
    });
    const back = node("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor });
    copy.prepend(back);
    copy.setAttribute("xmlns", NS);
    return new XMLSerializer().serializeToString(copy);
  }

  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    document.body.append(link); // some browsers ignore links outside the page
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000); // a slow save still reads it
  }

  function saveSvg(svg, name) {
    download(`${name}.svg`, new Blob([plain(svg)], { type: "image/svg+xml" }));
  }

  function savePng(svg, name) {
    const picture = new Image();
    picture.onload = () => {
      const sheet = document.createElement("canvas");
      const box = svg.viewBox.baseVal;
      sheet.width = 2 * box.width;
      sheet.height = 2 * box.height;
      sheet.getContext("2d").drawImage(picture, 0, 0, sheet.width, sheet.height);
      sheet.toBlob((blob) => download(`${name}.png`, blob));
    };
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(plain(svg));
  }

  return { node, short, chart, saveSvg, savePng, download };
})();
