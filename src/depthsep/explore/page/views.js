/* The panels of the five views: each knows how to show the events of its jobs. */
"use strict";
const Views = (() => {
  const { node, short, chart } = Draw;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function panel(id, title) {
    const body = element("div", { class: "body" });
    const tools = element("div", { class: "tools" });
    const made = element("section", { class: "panel", id, "aria-label": title }, element("h2", {}, title), body, tools);
    const save = (kind, way) => element("button", { type: "button", hidden: "", "data-save": kind, "aria-label": `Save ${title} as ${kind}`,
      onclick: () => way(body.querySelector("svg"), id) }, kind);
    tools.append(save("SVG", Draw.saveSvg), save("PNG", Draw.savePng));
    const show = (...content) => {
      made.classList.remove("old");
      body.replaceChildren(...content);
      const drawn = body.querySelector("svg") !== null;
      tools.querySelectorAll("[data-save]").forEach((b) => (b.hidden = !drawn));
    };
    return { made, body, tools, show };
  }

  const words = (text) => element("p", {}, text);

  /* ------------------------------------------------------------ depth */

  function depth(app) {
    const table = panel("table", "The table"), curve = panel("curve", "Width against depth");
    const graph = panel("graph", "The network over the target"), error = panel("error", "The error under a magnifier");
    const drawing = panel("drawing", "The network"), why = panel("why", "Why no network is narrower"), layers = panel("layers", "Layer by layer"), training = panel("training", "Training a network of this depth");
    const panels = [table, curve, graph, drawing, why, error, layers, training];
    const fold = element("div", { id: "fold-shown", "aria-live": "polite" });
    let rows = [], found = null, layer = 1, zoom = 1, middle = 0.5;

    const range = (name, label, attributes, change) => {
      const input = element("input", { type: "range", "aria-label": label, ...attributes, oninput: (e) => change(+e.target.value) });
      return element("label", {}, name + " ", input);
    };
    error.tools.prepend(
      range("magnify", "Magnification", { min: 0, max: 8, step: 0.25, value: 0, id: "zoom" }, (v) => { zoom = 2 ** v; drawError(); }),
      range("centre", "Centre of the magnifier", { min: 0, max: 1, step: 0.005, value: 0.5, id: "middle" }, (v) => { middle = v; drawError(); }));
    const next = element("button", { type: "button", id: "next-layer", onclick: () => step(1) }, "Next layer");
    const previous = element("button", { type: "button", id: "previous-layer", onclick: () => step(-1) }, "Previous layer");
    layers.tools.prepend(previous, next);
    if (app.live) {
      const width = element("input", { id: "train-width", type: "number", min: 1, max: 256, value: 16, "aria-label": "Width of the trained network" });
      training.tools.prepend(element("label", {}, "width ", width),
        element("button", { type: "button", id: "play", onclick: () => play(Math.max(1, Math.min(256, +width.value || 16))) }, "Play"));
      training.show(words("Adam on the mean square, started at random. What it finds is sampled: it proves nothing."));
    } else training.made.hidden = true;

    function side(entry) { return entry && entry.inapplicable === undefined ? entry : null; }

    function drawTable() {
      const head = ["depth", "proven ≥", "certified ≤", "error", "look", "by"].map((h) => element("th", { scope: "col" }, h));
      const body = rows.map((row) => {
        const low = side(row.lower), high = side(row.upper);
        const chosen = row.depth === app.state.depth;
        const look = element("button", { type: "button", "aria-label": `Look at depth ${row.depth}`, onclick: () => app.set({ depth: row.depth }) }, "look");
        const by = high ? high.source : row.upper.inapplicable;
        const withSkips = side(row.lower_with_skips);
        const skips = row.lower_with_skips ? ` (${withSkips ? withSkips.width : "none"} with skips)` : "";
        return element("tr", { "aria-selected": chosen }, ...[row.depth, low ? `${low.width}${skips}` : "–", high ? `${high.width}${high.checked ? "" : " *"}` : "–",
          row.shown ?? "–"].map((v) => element("td", {}, String(v))), element("td", {}, look),
          element("td", { title: low ? `proven: ${low.source}; for ${low.class}` : "" }, by));
      });
      const marked = rows.some((r) => side(r.upper) && !r.upper.checked);
      table.show(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body))),
        ...(marked ? [words("* by its theorem, not built")] : []),
        words(rows.some((r) => r.lower_with_skips)
          ? "Proven widths hold for networks without skip connections, as the certified ones are; those in brackets, and those of the other rows, with any skip connections, too."
          : "Proven widths hold for networks with any weights and skip connections, unless the pointer on \"by\" shows another class."));
      const highs = rows.filter((r) => side(r.upper)), lows = rows.filter((r) => side(r.lower) && +r.lower.width > 0);
      if (!highs.length && !lows.length) { curve.show(words("No width is known on either side.")); return; }
      const first = app.state.depths[0], last = app.state.depths[1];
      curve.show(chart({ label: "Width against depth: certified and proven", xlabel: "depth", ylabel: "width", logy: true, whole: true, xs: [first - 0.3, last + 0.3],
        series: [{ x: highs.map((r) => r.depth), y: highs.map((r) => +r.upper.width), kind: "both", colour: "blue", name: "certified: such a network exists" },
          { x: lows.map((r) => r.depth), y: lows.map((r) => +r.lower.width), kind: "both", colour: "red", name: "proven: no narrower one" }] }));
    }

    function drawGraph() {
      if (!found) return;
      if (!found.x) {
        for (const p of [graph, error, layers]) p.show(words("Graphs are drawn for functions of one variable; see Regions."));
        drawNetwork();
        return;
      }
      drawOver(found.network);
      drawError();
      drawLayer();
      drawNetwork();
    }

    /* The network over the target; values other than its own are those of a change on its way. */
    function drawOver(values) {
      const knots = values === found.network && found.knots.length <= 130 ? found.knots : [];
      graph.show(chart({ label: `Depth ${found.depth}: the network and its knots over the target`, xlabel: "x", ylabel: "value", xs: [found.x[0], found.x.at(-1)],
        series: [{ x: found.x, y: found.target, colour: "pink", under: true, name: "target" }, { x: found.x, y: values, colour: "blue", name: "network" },
          ...(knots.length ? [{ x: knots.map((k) => found.x[k]), y: knots.map((k) => found.network[k]), kind: "dots", colour: "red", name: "knots" }] : [])] }),
        words(`${found.part ? "A small part of it: " : ""}${found.pieces} pieces, widths ${found.widths.join(", ")}; error at most ${found.shown} (${found.rigour}), by ${found.source}.`));
    }

    /* From the broken line of one depth to that of another, if both are of one target. */
    function morph(before) {
      if (!before?.x || !found?.x || before.x[0] !== found.x[0] || before.x.at(-1) !== found.x.at(-1)) return;
      const old = found.x.map(at(before.x, before.network)), now = found;
      slowly("graph", (t) => { if (found === now) drawOver(t === 1 ? found.network : found.network.map((v, k) => old[k] + t * (v - old[k]))); });
    }

    /* The target drawn over what a unit gives in place of x: the picture folds where the unit turns. */
    function foldAt(l, k) {
      const hidden = found.layers?.[l], unit = hidden?.units[k];
      if (!unit) { fold.replaceChildren(words(found.layers ? "This unit is not among those whose values are known here." : "Units of functions of several variables are shown under Regions.")); return; }
      const x = found.layers[0].x, y = x.map(at(found.x, found.target)), most = Math.max(...unit), least = Math.min(...unit), [a, b] = [x[0], x.at(-1)];
      const placed = unit.map((u) => (most > least ? a + ((b - a) * (u - least)) / (most - least) : a));
      const steps = unit.slice(1).map((u, j) => Math.sign(u - unit[j])).filter((sign) => sign); // flat parts turn nothing
      const turns = steps.filter((sign, j) => j && sign !== steps[j - 1]).length;
      const seen = turns ? `turns at ${turns} or more places: where it takes a value twice, it cannot tell these places apart.` : "is seen not to turn: where it is not flat, it keeps places apart.";
      slowly("fold", (t) => fold.replaceChildren(
        chart({ label: `The target over unit ${k + 1} of hidden layer ${l}`, xlabel: t < 1 ? "x" : `value of unit ${k + 1} of layer ${l}`, ylabel: "target", xs: t < 1 ? [a, b] : [least, most > least ? most : least + 1],
          series: [{ x: t < 1 ? x.map((v, j) => v + t * (placed[j] - v)) : unit, y, colour: "pink", name: "the target, folded" }] }),
        words(`Unit ${k + 1} of hidden layer ${l} ${seen}`)));
    }

    function drawWhy(bound) {
      const said = bound.words.map((sentence) => words(sentence));
      if (bound.title) said.push(words(`The theorem is ${bound.id} (${bound.source}). ${bound.title}: ${bound.formula}`));
      if (bound.x) {
        const band = (sign) => ({ x: bound.x, y: bound.target.map((v) => v + sign * bound.within), colour: "ink", thin: true, name: sign > 0 ? "accuracy" : undefined });
        why.show(chart({ label: "The shortest broken line in the tunnel around the target", xlabel: "x", ylabel: "value", xs: [bound.x[0], bound.x.at(-1)],
          series: [band(1), band(-1), { x: bound.knots, y: bound.values, kind: "both", colour: "red", name: `${bound.knots.length - 1} pieces${bound.least ? ", no fewer" : ""}` }] }), ...said);
      } else if (bound.segments) {
        const [a, b, c, d] = bound.box, S = 300, svg = node("svg", { viewBox: `-12 -12 ${S + 24} ${S + 44}`, role: "img", "aria-label": `${bound.segments.length} segments on which pieces are counted` });
        const X = (v) => ((v - a) / (b - a)) * S, Y = (v) => S - ((v - c) / (d - c)) * S;
        svg.append(node("rect", { class: "axis", width: S, height: S }));
        for (const [p, q] of bound.segments) svg.append(node("path", { class: "line blue", d: `M${X(p[0])},${Y(p[1])}L${X(q[0])},${Y(q[1])}` }));
        svg.append(node("text", { x: 0, y: S + 24 }, "x1 to the right, x2 upwards"));
        why.show(svg, words("On each of these segments the target needs several pieces; one unit of the first hidden layer bends the network once on a segment at most."), ...said);
      } else why.show(...said);
    }

    function drawError() {
      if (!found || !found.x) return;
      const a = found.x[0], b = found.x.at(-1), half = (b - a) / 2 / zoom;
      const centre = Math.min(b - half, Math.max(a + half, a + (b - a) * middle));
      const keep = found.x.map((v, k) => [v, k]).filter(([v]) => v >= centre - half * 1.02 && v <= centre + half * 1.02).map(([, k]) => k);
      const most = Math.max(1, ...keep.map((k) => Math.abs(found.ratio[k]))) * 1.2;
      error.show(chart({ label: "Error of the network over the accuracy", xlabel: "x", ylabel: "error / accuracy", xs: [centre - half, centre + half], band: [-1, 1], ys: [-most, most],
        series: [{ x: keep.map((k) => found.x[k]), y: keep.map((k) => found.ratio[k]), colour: "blue" }] }), words("The band is what is allowed" + (app.state.norm === "linf" ? "." : " on average.")));
    }

    function step(by) { layer += by; drawLayer(); }
    function drawLayer() {
      if (!found || !found.layers) return;
      const [grid, ...hidden] = found.layers;
      layer = Math.max(1, Math.min(hidden.length + 1, layer));
      previous.disabled = layer === 1;
      next.disabled = layer === hidden.length + 1;
      if (layer > hidden.length) {
        layers.show(chart({ label: "The output: the units of the last layer, added", xlabel: "x", xs: [found.x[0], found.x.at(-1)],
          series: [{ x: found.x, y: found.target, colour: "pink", under: true, name: "target" }, { x: found.x, y: found.network, colour: "blue", name: "output" }] }), words("The output adds the units of the last layer."));
        return;
      }
      const { units, width } = hidden[layer - 1];
      const colours = ["blue", "red", "green", "pink", "ink"];
      layers.show(chart({ label: `The units of hidden layer ${layer}`, xlabel: "x", xs: [grid.x[0], grid.x.at(-1)],
        series: units.map((y, k) => ({ x: grid.x, y, colour: colours[k % 5], thin: units.length > 6 })) }),
        words(`Hidden layer ${layer} of ${hidden.length}: ${width} units${units.length < width ? `, the first ${units.length} are shown` : ""}.`));
    }

    function drawNetwork() {
      if (!found.weights) { drawing.show(words(`Widths ${found.widths.join(", ")}: too many units to draw.`)); return; }
      fold.replaceChildren(words("Move over a unit, or choose one with the arrow keys: the target is drawn over its values."));
      drawing.show(net(found.weights, foldAt), words("Blue weights are positive, orange ones are negative; thick ones are large."), fold);
    }

    async function play(width) {
      let data = null, frames = [];
      await app.run("train", { width }, (event) => {
        if (event.target) data = event;
        if (!event.values) return;
        frames.push(event);
        training.show(chart({ label: `Training at step ${event.step}`, xlabel: "x", xs: [data.x[0], data.x.at(-1)],
          series: [{ x: data.x, y: data.target, colour: "pink", under: true, name: "target" }, { x: data.x, y: event.values, colour: "green", name: "trained" }] }),
          words(`Step ${event.step} of ${data.steps}, depth ${app.state.depth}, width ${width}: largest error ${short(event.largest)} (sampled)` + (found ? `; the certified network of widths ${found.widths.join(", ")} has at most ${found.shown}.` : ".")));
        app.share(event.step / data.steps);
      });
    }

    return {
      panels,
      async refresh(changed) {
        const whole = !changed || Object.keys(changed).some((k) => k !== "depth" && k !== "seed");
        if (changed && Object.keys(changed).every((k) => k === "seed")) return;
        if (!whole) drawTable();
        const jobs = [];
        if (whole) {
          let of = 1;
          const made = [];
          rows = [];
          found = null;
          app.stop("train");
          for (const p of panels) if (p !== training || training.body.querySelector("svg")) p.made.classList.add("old");
          jobs.push(app.run("table", {}, (event) => {
            if (event.of) of = event.of;
            if (event.row) { made.push({ ...event.row, shown: event.shown }); rows = made; drawTable(); app.share(made.length / of); }
          }));
        }
        const before = whole ? null : found;
        jobs.push(app.run("graph", {}, (event) => { if (event.widths) { found = event; layer = 1; drawGraph(); morph(before); } },
          (problem) => { found = null; for (const p of [graph, error, layers, drawing]) p.show(words(problem)); }));
        jobs.push(app.run("why", {}, (event) => { if (event.words) drawWhy(event); }, (problem) => why.show(words(problem))));
        await Promise.all(jobs);
      },
      tools: app.live ? [element("button", { type: "button", id: "certificate", onclick: () => app.run("certificate", {}, (event) => {
        if (event.text) Draw.download(event.name, new Blob([event.text], { type: "application/json" }));
      }) }, "Save the certificate of this depth")] : [],
      home: table,
    };
  }

  /* Values between known points, by straight lines. */
  function at(xs, ys) {
    let k = 0;
    return (x) => {
      while (k && xs[k] > x) k--;
      while (k + 2 < xs.length && xs[k + 1] < x) k++;
      const share = (x - xs[k]) / (xs[k + 1] - xs[k] || 1);
      return ys[k] + Math.min(1, Math.max(0, share)) * (ys[k + 1] - ys[k]);
    };
  }

  /* Call with 0 to 1 over a third of a second; with 1 alone for those who ask for no motion. */
  const motions = {}; // the newest of each picture
  function slowly(picture, draw) {
    const mine = (motions[picture] = {});
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { draw(1); return; }
    const start = performance.now();
    const frame = (now) => {
      if (mine !== motions[picture]) return;
      const t = Math.min(1, Math.max(0, (now - start) / 350));
      draw(t);
      if (t < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /* Units are chosen by the pointer, or by the arrow keys from the first one of the first layer on. */
  function net(weights, choose) {
    const sizes = [weights[0][0].length, ...weights.map((layer) => layer.length)];
    const W = 560, H = 320;
    const svg = node("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": `A network of ${sizes.slice(1, -1).join(", ")} units` });
    const place = (l, k) => [30 + ((W - 60) * l) / (sizes.length - 1), (H * (k + 1)) / (sizes[l] + 1)];
    weights.forEach((layer, l) => {
      const most = Math.max(...layer.flat().map(Math.abs)) || 1;
      layer.forEach((row, j) => row.forEach((w, i) => {
        if (!w) return;
        const [a, b] = place(l, i), [c, d] = place(l + 1, j);
        svg.append(node("path", { class: `line ${w > 0 ? "blue" : "red"}`, d: `M${a},${b}L${c},${d}`, style: `stroke-width:${0.3 + (1.7 * Math.abs(w)) / most};stroke-dasharray:none;opacity:.6` }));
      }));
    });
    const units = sizes.map((n, l) => Array.from({ length: n }, (_, k) => unit(l, k)));
    units.flat().forEach((u) => svg.append(u));

    function unit(l, k) {
      const [x, y] = place(l, k), inside = l > 0 && l < sizes.length - 1;
      const made = node("circle", { class: "dot ink", cx: x, cy: y, r: Math.max(2.5, Math.min(9, 130 / sizes[l])) });
      if (!inside) return made;
      for (const [name, value] of Object.entries({ class: "dot ink unit", role: "button", tabindex: l === 1 && k === 0 ? 0 : -1, "aria-label": `Unit ${k + 1} of hidden layer ${l}` })) made.setAttribute(name, value);
      made.addEventListener("pointerenter", () => chosen(l, k));
      made.addEventListener("focus", () => chosen(l, k));
      made.addEventListener("keydown", (e) => {
        if (e.key === "Enter" || e.key === " ") { e.preventDefault(); chosen(l, k); return; }
        const [dl, dk] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[e.key] ?? [0, 0];
        if (!dl && !dk) return;
        e.preventDefault();
        const to = Math.min(sizes.length - 2, Math.max(1, l + dl));
        units[to][Math.min(sizes[to] - 1, Math.max(0, k + dk))].focus();
      });
      return made;
    }

    function chosen(l, k) {
      units.flat().forEach((u) => u.classList.remove("chosen"));
      units[l][k].classList.add("chosen");
      choose(l, k);
    }
    return svg;
  }

  /* ---------------------------------------------------- the other four */

  function regions(app) {
    const plane = panel("plane", "Regions"), line = panel("line", "Along the slice");
    return {
      panels: [plane, line], home: plane, tools: [],
      refresh: () => app.run("regions", {}, (e) => {
        if (!e.regions) return;
        const [a, b, c, d] = e.box, S = 420, svg = node("svg", { viewBox: `0 0 ${S + 20} ${S + 40}`, role: "img", "aria-label": `${e.count} regions of the network` });
        const X = (v) => 10 + ((v - a) / (b - a)) * S, Y = (v) => 10 + S - ((v - c) / (d - c)) * S;
        const most = Math.max(1, ...e.regions.map((r) => r.on));
        for (const r of e.regions)
          svg.append(node("polygon", { points: r.corners.map(([x, y]) => `${X(x)},${Y(y)}`).join(" "), style: `fill:hsl(205 60% ${88 - 58 * (r.on / most)}%);stroke:#fff;stroke-width:.5` }));
        if (e.held === "x2") svg.append(node("path", { class: "line red", d: `M10,${Y(e.at)}H${S + 10}` }));
        svg.append(node("text", { x: S / 2, y: S + 30 }, e.held === "x2" ? "x1 to the right, x2 upwards" : `x1, x2 at x3 = ${short(e.at)}`));
        plane.show(svg, words(`${e.count} activation regions, ${e.affine} affine regions (exact); widths ${e.widths.join(", ")}, by ${e.source}. Darker: more units on.`));
        line.show(chart({ label: "Target and network along the slice", xlabel: "x1", xs: [e.x[0], e.x.at(-1)],
          series: [{ x: e.x, y: e.target, colour: "pink", under: true, name: "target" }, { x: e.x, y: e.network, colour: "blue", name: "network" }] }),
          words(`The line on which x1 moves and ${e.held} = ${short(e.at)}.`));
      }, (problem) => { plane.show(words(problem)); line.show(); }),
    };
  }

  function learner(app) {
    const alpha = panel("alpha", "One number that sums up the training"), profile = panel("profile", "The network against |x|"), cloud = panel("cloud", "Particles at the end");
    let frames = [], limit = null, last = null, shown = 0;
    const slider = element("input", { type: "range", id: "frame", min: 0, max: 0, value: 0, "aria-label": "Time", oninput: (e) => { shown = +e.target.value; draw(); } });
    profile.tools.prepend(element("label", {}, "time ", slider));
    function draw() {
      if (!last || !frames.length) return;
      const frame = frames[shown];
      profile.show(chart({ label: `The learned profile at time ${frame.time}`, xlabel: "|x|", ys: [-0.4, 1.3], xs: [0, last.radii.at(-1)],
        series: [{ x: last.radii, y: last.target, colour: "pink", under: true, name: "target 1 − |x|" }, { x: last.radii, y: frame.values, colour: "blue", name: "network" }] }),
        words(`Time ${short(frame.time)}: loss ${short(frame.loss)}, spread of particles ${short(frame.spread)} (sampled).`));
    }
    return {
      panels: [alpha, profile, cloud], home: alpha, tools: [],
      refresh: (changed) => {
        if (changed && !Object.keys(changed).some((k) => ["width", "dim", "seed", "view"].includes(k))) return;
        frames = [];
        alpha.show(words("The first run takes some ten seconds."));
        return app.run("learner", {}, (e) => {
          if (e.times) limit = e;
          if (e.time !== undefined) frames.push(e);
          if (limit) alpha.show(chart({ label: "The slope alpha of the first layer in |x| against time", xlabel: "training time", ylabel: "slope of the first layer in |x|, α", xs: [0, limit.times.at(-1)],
            series: [{ x: limit.times, y: limit.alpha, colour: "pink", name: "infinite width" }, { x: frames.map((f) => f.time), y: frames.map((f) => f.alpha), colour: "blue", name: `width ${app.state.width}` }] }));
          if (e.particles) {
            last = e;
            slider.max = frames.length - 1;
            slider.value = shown = frames.length - 1;
            draw();
            const size = 1.1 * Math.max(...e.particles.flat().map(Math.abs));
            cloud.show(chart({ label: "First two coordinates of the particles", xlabel: "w1", ylabel: "w2", xs: [-size, size], ys: [-size, size], square: true,
              series: [{ x: e.particles.map((p) => p[0]), y: e.particles.map((p) => p[1]), kind: "dots", colour: "blue" }] }), words("Each dot is a unit of the first layer: they stay spread evenly over directions, so the network stays radial."));
          }
        }, (problem) => alpha.show(words(problem)));
      },
    };
  }

  function kernel(app) {
    const home = panel("kernels", "Tangent kernels of random networks");
    return {
      panels: [home], home, tools: [],
      refresh: () => {
        let limit = null;
        const made = [];
        return app.run("kernel", {}, (e) => {
          if (e.limit) limit = e;
          if (e.kernel) made.push(e.kernel);
          home.show(chart({ label: "Kernel of two points against their angle", xlabel: "angle", ylabel: "kernel", xs: [0, Math.PI],
            series: [...made.map((y, k) => ({ x: limit.angles, y, colour: "blue", name: k ? undefined : `width ${app.state.width}` })), { x: limit.angles, y: limit.limit, colour: "red", name: "infinite width" }] }),
            words("How alike a random network's gradients are at two points, by the angle between them: three networks (sampled) beside the closed form. Four times the width halves the spread."));
        }, (problem) => home.show(words(problem)));
      },
    };
  }

  function sampling(app) {
    const home = panel("errors", "Networks sampled from a representation of infinite width");
    return {
      panels: [home], home, tools: [],
      refresh: () => {
        const made = [];
        return app.run("sampling", {}, (e) => {
          if (e.width) made.push(e);
          const x = made.map((m) => m.width);
          home.show(chart({ label: "Error against width", xlabel: "width", ylabel: "root mean square error", logx: true, logy: true, xs: [14, 1200],
            series: [{ x, y: made.map((m) => m.sampled), kind: "both", colour: "blue", name: "sampled" }, { x, y: made.map((m) => m.bound), kind: "both", colour: "red", name: "proved bound" }] }),
            words(`A Gaussian of deviation ${app.state.sigma} in ${app.state.dim || 10} dimensions: both fall like one over the root of the width.`));
        }, (problem) => home.show(words(problem)));
      },
    };
  }

  return { depth, regions, learner, kernel, sampling, element };
})();
