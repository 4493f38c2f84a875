/* The state in the address, the controls, and the jobs behind the panels. */
"use strict";
(() => {
  const STATIC = window.DEPTHSEP_STATES; // of an export; undefined where a server answers
  const DEFAULTS = { view: "depth", target: "square", on: "", dim: null, norm: "linf", accuracy: "1e-3", depths: [2, 6], depth: 3, width: 16, seed: 0, at: 0.75, sigma: 0.5 };
  const TARGETS = ["square", "sawtooth:8", "expr:sin(20*x)", "expr:exp(x)", "expr:sqrt(x)", "expr:1/(1+25*x**2)", "product", "expr:exp(-x1**2-x2**2)", "max:3"];
  const SENT = ["target", "on", "dim", "norm", "accuracy", "depths", "depth", "width", "seed", "at", "sigma"];
  const get = (id) => document.getElementById(id);
  const fields = ["target", "on", "dim", "norm", "seed", "at", "sigma", "depth"];
  const LIMITS = { dim: [1, 100], depth: [2, 12], width: [4, 1024], seed: [0, 999999], at: [0, 1], sigma: [0.1, 2], depths: [2, 12] };
  const within = (name, v) => (LIMITS[name] && v !== null ? Math.min(LIMITS[name][1], Math.max(LIMITS[name][0], v)) : v);
  const whole = (v) => Math.round(v);
  const running = new Map();
  let state = read(), view = null, timer = 0;

  function read() {
    const written = location.hash.includes("=") ? location.hash.slice(1) : location.search; // #main is a place on the page
    const given = new URLSearchParams(written), found = { ...DEFAULTS };
    for (const [key, value] of given) {
      if (!(key in DEFAULTS)) continue;
      if (key === "depths") { const pair = value.split(":").map(Number); if (pair.length === 2 && pair.every(Number.isInteger)) found.depths = pair.map((d) => within("depths", d)).sort((a, b) => a - b); }
      else if (typeof DEFAULTS[key] === "number" || key === "dim") { if (value !== "" && Number.isFinite(+value)) found[key] = within(key, ["at", "sigma"].includes(key) ? +value : whole(+value)); }
      else found[key] = value;
    }
    if (!Object.hasOwn(Views, found.view) || found.view === "element") found.view = "depth";
    if (found.view !== "kernel") found.depth = Math.min(found.depths[1], Math.max(found.depths[0], found.depth));
    return found;
  }

  function link() {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(state))
      if (value !== null && String(value) !== String(DEFAULTS[key])) query.set(key, key === "depths" ? value.join(":") : value);
    const text = query.toString();
    return location.pathname + (text ? "#" + text : "");
  }

  function sent(extra) {
    const made = {};
    for (const key of SENT) made[key] = state[key];
    return { ...made, ...extra };
  }

  function say(words, wrong = false) {
    get("said").textContent = words;
    get("said").classList.toggle("wrong", wrong);
    get("panels").classList.toggle("old", wrong); // what is shown is not what was asked
  }

  /* Events of a job, as they come. A job of the same name that still runs is stopped. */
  async function run(job, extra, each, failed) {
    running.get(job)?.abort();
    const control = new AbortController();
    running.set(job, control);
    busy();
    try {
      const events = STATIC ? stored(job, extra) : asked(job, extra, control.signal);
      for await (const event of events) {
        if (control.signal.aborted) return;
        if (event.error) { (failed || (() => {}))(event.error); if (!["graph", "why"].includes(job)) say(event.error, true); }
        else each(event);
      }
    } catch (problem) {
      if (problem.name !== "AbortError") say(`The explorer does not answer (${problem.message}); is \`depthsep explore\` still running?`, true);
    } finally {
      if (running.get(job) === control) running.delete(job);
      busy();
    }
  }

  async function* asked(job, extra, signal) {
    const answer = await fetch(`api/${job}`, { method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent(extra)) });
    if (!answer.ok) { yield { error: (await answer.text()).trim() }; return; }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) yield JSON.parse(line);
    }
  }

  async function* stored(job, extra) {
    const found = STATIC.events[keyOf(job, sent(extra))];
    if (found) yield* found;
    else yield { error: "This page holds chosen states only; install depthsep and run `depthsep explore` for all others." };
  }

  /* The same words in Python: depthsep.explore's export. */
  function keyOf(job, s) {
    const problem = [s.target, s.on, s.norm, s.accuracy].join("|");
    if (job === "check" || job === "table") return `${job}|${problem}`;
    if (["graph", "why", "regions"].includes(job)) return `${job}|${problem}|${s.depth}` + (job === "regions" ? `|${s.at}` : "");
    return { learner: `learner|${s.dim ?? 4}|${s.width}`, kernel: `kernel|${s.depth}|${s.width}`, sampling: `sampling|${s.dim ?? 10}|${s.sigma}` }[job] || job;
  }

  let share = 0;
  function busy() {
    const some = [...running.keys()].some((job) => job !== "check");
    get("progress").hidden = get("cancel").hidden = !some;
    if (!some) share = 0;
    if (share) get("progress").value = share; else get("progress").removeAttribute("value");
  }

  /* One job, or all of them. */
  function end(job) {
    for (const name of job ? [job] : [...running.keys()]) { running.get(name)?.abort(); running.delete(name); }
    busy();
  }

  async function check() {
    if (!["depth", "regions"].includes(state.view)) { say(""); return true; }
    let fine = false; // also where Stop was pressed before the answer
    await run("check", {}, (event) => {
      if (!event.words) return;
      fine = true;
      say(event.words + (note ? ` ${note}` : ""));
      get("command").textContent = event.command;
      get("python").textContent = event.python;
    });
    return fine;
  }

  const SLID = ["accuracy", "depth", "at", "width", "sigma"]; // sliders give nothing that has to be checked first

  /* Change some of the state: the address, the controls and the pictures follow. */
  async function set(changed) {
    state = { ...state, ...changed };
    if (state.view !== "kernel") state.depth = Math.min(state.depth, state.depths[1]);
    history.replaceState(null, "", link());
    show();
    const asked = { ...state };
    const checking = check();
    if (Object.keys(changed).every((name) => SLID.includes(name))) { await view.refresh(changed); return; }
    const fine = await checking;
    if (fine && JSON.stringify(asked) === JSON.stringify(state)) await view.refresh(changed);
  }

  const exponent = () => Math.max(-40, Math.min(-4, Math.round(5 * Math.log10(Number(state.accuracy)))));
  function accuracyOf(k) {
    const e = Math.floor(k / 5), m = [1, 1.6, 2.5, 4, 6.3][k - 5 * e];
    return `${m}e${e}`;
  }

  function show() {
    for (const name of fields) { const input = get(name); if (document.activeElement !== input || input.type === "range") input.value = state[name] ?? ""; }
    get("accuracy").value = STATIC ? STATIC.accuracies.indexOf(state.accuracy) : exponent();
    const ends = state.view === "kernel" ? [2, 8] : state.depths;
    if (!STATIC) Object.assign(get("depth"), { min: ends[0], max: ends[1] });
    get("depth").value = state.depth;
    if (document.activeElement !== get("last")) get("last").value = state.depths[1];
    get("width").value = Math.round(Math.log2(state.width));
    const shown = { accuracy: state.accuracy, depth: state.depth, width: state.width, at: `${Math.round(100 * state.at)} % of the way`, sigma: state.sigma };
    for (const [name, value] of Object.entries(shown)) get(`${name}-shown`).textContent = value;
    document.querySelectorAll("#controls label").forEach((l) => (l.hidden = !l.dataset.for.split(" ").includes(state.view)));
    document.querySelectorAll("nav a").forEach((a) => {
      if (a.dataset.view === state.view) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
    });
    get("pad-open").hidden = Boolean(STATIC) || state.view !== "depth";
    get("code").hidden = !["depth", "regions"].includes(state.view);
  }

  const app = { live: !STATIC, stop: end, get state() { return state; }, set, run, share: (s) => { share = s; busy(); } };

  /* Regions need two inputs or three: another target is kept for when Depth is seen again. */
  const FLAT = { target: "product", accuracy: STATIC ? STATIC.accuracies[0] : "1e-2", on: "", dim: null };
  const about = (name) => (["depth", "regions"].includes(name) ? "problem" : name);
  let kept = null, note = "";
  function open(name) {
    end();
    if (about(name) !== about(state.view)) state.dim = null; // the d of one is not that of another
    const plane = ["product", "max:3"].includes(state.target) || /x1/.test(state.target);
    note = "";
    if (name === "regions" && !plane) {
      kept = { target: state.target, accuracy: state.accuracy, on: state.on, dim: state.dim };
      note = `(${kept.target} has no plane to cut${STATIC ? "" : ": type a formula in x1 and x2"}.)`;
      state = { ...state, ...FLAT };
    } else if (name === "depth" && kept && state.target === FLAT.target) state = { ...state, ...kept };
    if (name !== "regions") kept = null;
    state = { ...state, view: name };
    view = Views[name](app);
    get("panels").replaceChildren(...view.panels.map((p) => p.made));
    view.home.tools.append(...view.tools);
    set({ view: name });
  }

  /* What was typed and not yet acted upon: several controls may be moved at once. */
  let pending = {};
  function flush() {
    clearTimeout(timer);
    const changed = pending;
    pending = {};
    if (Object.keys(changed).length) set(changed);
  }

  function typed(name, read) {
    get(name).addEventListener("input", () => {
      clearTimeout(timer);
      pending[name] = read(get(name));
      timer = setTimeout(flush, get(name).type === "range" ? 30 : 250);
    });
  }

  /* An export knows some states: lists in place of free text. */
  function chosenOnly() {
    const list = Views.element("select", { id: "target", name: "target" }, ...STATIC.targets.concat("product").map((t) => Views.element("option", {}, t)));
    get("target").replaceWith(list);
    for (const name of ["on", "norm", "dim", "seed", "last"]) get(name).closest("label").dataset.for = "";
    const limits = { accuracy: [0, STATIC.accuracies.length - 1, 1], at: [0, 1, 0.1], depth: [2, 5, 1], width: [4, 8, 2], sigma: [0.5, 1, 0.5] };
    for (const [name, [min, max, step]] of Object.entries(limits)) Object.assign(get(name), { min, max, step });
    DEFAULTS.depths = state.depths = [2, 5];
    DEFAULTS.at = 0.8;
    if (!Number.isInteger(10 * state.at)) state.at = 0.8;
    if (!STATIC.accuracies.includes(state.accuracy)) state.accuracy = "1e-3";
  }

  if (STATIC) chosenOnly();
  typed("target", (i) => i.value.trim());
  typed("on", (i) => i.value.trim());
  for (const name of ["dim", "seed"]) typed(name, (i) => (i.value === "" ? DEFAULTS[name] : within(name, Math.round(+i.value))));
  get("last").addEventListener("change", (e) => { pending.depths = [state.depths[0], Math.max(state.depths[0], within("depths", whole(+e.target.value || 6)))]; flush(); });
  typed("norm", (i) => i.value);
  for (const name of ["depth", "at", "sigma"]) typed(name, (i) => +i.value);
  typed("accuracy", (i) => (STATIC ? STATIC.accuracies[+i.value] : accuracyOf(+i.value)));
  typed("width", (i) => 2 ** +i.value);
  get("cancel").addEventListener("click", () => {
    const unanswered = running.has("check"); // what is shown was asked before
    end();
    say("Stopped.");
    get("panels").classList.toggle("old", unanswered);
  });
  get("controls").addEventListener("submit", (e) => e.preventDefault());
  document.querySelector("nav").addEventListener("click", (e) => {
    const name = e.target.dataset?.view;
    if (name) { e.preventDefault(); history.pushState(null, "", link()); open(name); }
  });
  for (const change of ["popstate", "hashchange"]) addEventListener(change, () => {
    if (location.hash && !location.hash.includes("=")) return;
    const next = read();
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    open(state.view);
  });
  get("share").addEventListener("click", async () => {
    say(`The link is the address of this page: ${location.href}`);
    try { await navigator.clipboard.writeText(location.href); say("The link is copied. It opens in this browser while this explorer runs."); } catch { /* the address stands there */ }
  });
  Pad.start((target, note) => {
    if (!target) { say(note, true); return; }
    get("target").value = target;
    state = { ...state, target, on: "", dim: null };
    open("depth"); // regions need two inputs, and other views no target
    if (note) setTimeout(() => say(note), 800);
  });
  const wide = matchMedia("(min-width: 600px)");
  get("fold").open = wide.matches;
  wide.addEventListener("change", () => { get("fold").open = wide.matches || get("fold").open; });
  get("targets").append(...TARGETS.map((t) => Views.element("option", { value: t })));
  get("about").textContent = STATIC ? "Precomputed by depthsep: every number was made by the same code as the live page." : "Everything is computed on this machine; nothing is sent anywhere.";
  open(state.view);
})();
