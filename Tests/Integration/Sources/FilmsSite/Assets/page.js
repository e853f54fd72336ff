// Makes the page live. Without this file every link and form loads the page instead.
//
// The server sends the parts of the page that change, and the page sends what its user does: the
// query of a link, or the fields of a form. It knows no widget.
"use strict";

const path = location.pathname;
let events = null;
let visitor = null; // the name of this page at the server; null while there is no connection
let failures = 0; // of connections, one after the other
let wasLive = false;
let timer = null;
let sent = 0; // the number of the newest action
let shown = 0; // the number of the newest action that the page shows
let push = false; // whether the next state is a new entry of the history
let force = false; // whether the next state is shown in a field that has the focus, too
let wanted = location.search.slice(1); // the state for a new connection
let waitTimer = null; // runs while the newest action is not shown
let typedAt = 0;
let posts = Promise.resolve(); // one request after the other, so that none overtakes another
const held = []; // what to do when the page shows the newest action

const find = (id) => document.getElementById(id);
const byKey = (key, root = document) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);

// Connections

function connect() {
  const source = new EventSource("/live?" + wanted);
  events = source;
  source.addEventListener("update", (event) => {
    if (source === events) update(JSON.parse(event.data));
  });
  source.addEventListener("end", () => lose(source));
  source.onerror = () => lose(source);
}

// While the page cannot connect, it works as without JavaScript.
function lose(source) {
  if (source !== events) return;
  source.close();
  events = null;
  visitor = null;
  failures += 1;
  document.body.dataset.connection = "lost";
  const tries = wasLive || failures < 3;
  find("connection").textContent = tries ? "Connecting again…" : "";
  clearTimeout(timer);
  if (tries) timer = setTimeout(connect, Math.min(250 * 2 ** failures, 10_000));
}

const isLive = () => visitor !== null;
// A page that was live waits for its server; another one works as without JavaScript.
const isWaiting = () => !isLive() && (wasLive || failures < 3);

// Whoever waits for longer than a moment sees that.
function showWaiting() {
  clearTimeout(waitTimer);
  const waits = sent > shown || held.length > 0;
  const show = (isShown) => {
    document.body.classList.toggle("waiting", isShown);
    find("hits").setAttribute("aria-busy", String(isShown));
  };
  if (waits) waitTimer = setTimeout(() => show(true), 200);
  else show(false);
}

function update(news) {
  const isNew = !isLive();
  if (isNew) {
    visitor = news.visitor;
    failures = 0;
    wasLive = true;
    sent = shown = news.action;
    find("connection").textContent = "";
    document.body.dataset.connection = "live";
  }
  shown = Math.max(shown, news.action);
  for (const [id, html] of Object.entries(news.regions)) replace(id, html);
  document.title = news.title;
  showState(news.query);
  if (isNew) sendWhatWasTyped();
  followHeld();
  showWaiting();
}

function replace(id, html) {
  const region = find(id);
  if (!region) return;
  const focused = document.activeElement;
  const key = region.contains(focused) && focused !== region ? focused.dataset.key || "" : null;
  region.innerHTML = html;
  if (key === null) return;
  // The same link again, or what follows from it.
  const next = byKey(key, region) || (id === "suggestions" ? find("query") : find("hits"));
  next.focus({ preventScroll: true });
}

// The address

function showState(query) {
  if (sent > shown) return;
  const address = query ? path + "?" + query : path;
  if (push) find("notice").textContent = "";
  if (address !== location.pathname + location.search) {
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }
  wanted = query;
  push = false;
  syncFields(force);
  force = false;
}

window.addEventListener("popstate", () => {
  push = false;
  force = true;
  const query = location.search.slice(1);
  if (isLive()) send("", query, () => location.reload());
  else if (isWaiting()) hold({ form: "", body: query });
  else location.reload();
});

// What the user does

function send(form, body, otherwise) {
  const number = ++sent;
  const name = visitor;
  posts = posts.then(() => post(number, name, form, body, otherwise));
  showWaiting();
  return posts;
}

async function post(number, name, form, body, otherwise) {
  if (name !== visitor) return keep(number, form, body); // another connection has begun
  try {
    const answer = await fetch(`/live/${name}?action=${number}${form && "&form=" + form}`, {
      method: "POST", body,
    });
    if (answer.ok) return;
    if (answer.status === 410) keep(number, form, body);
    if (name !== visitor) return;
    if (answer.status === 410) lose(events);
    else if (answer.status === 400) refuse(number, await answer.json());
    else otherwise();
  } catch {
    keep(number, form, body);
    if (name === visitor) lose(events);
  }
}

// What did not arrive is done before everything that waits. What is typed is sent anyway.
function keep(number, form, body) {
  if (form === "close" || document.querySelector(`[data-typing="${form}"]`)) return;
  const place = held.findIndex((other) => other.number > number);
  held.splice(place < 0 ? held.length : place, 0, { number, form, body });
  showWaiting();
}

function hold(action) {
  held.push({ number: Infinity, ...action });
  if (!isLive()) find("connection").textContent = "Connecting again… Nothing is lost.";
  showWaiting();
}

// The server has refused a value: the page says why, and shows the state as it is.
function refuse(number, answer) {
  shown = Math.max(shown, number);
  push = false;
  find("status").textContent = answer.error?.message || "This is not possible.";
  syncFields(true);
  followHeld();
  showWaiting();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  if (link.pathname !== path || link.host !== location.host || link.hash) return;
  if (!isLive() && !isWaiting()) return;
  event.preventDefault();
  // A link is of the state that is shown, so it waits until that is the newest one.
  if (isLive() && sent <= shown) return follow(link);
  hold({ key: link.dataset.key || "", search: link.search });
});

function follow(link) {
  push = true;
  // A link says what the text is, also while the field has the focus.
  force = true;
  const key = link.dataset.key || "";
  send("", link.search.slice(1), () => location.assign(link.href));
  if (["next", "previous"].includes(key) || key.startsWith("page ")) window.scrollTo({ top: 0 });
}

function followHeld() {
  while (isLive() && sent <= shown && held.length) {
    const { form, body, key, search } = held.shift();
    if (form !== undefined) {
      push = true;
      force = form === "";
      send(form, body, () => location.assign(path + "?" + body));
      continue;
    }
    const link = byKey(key) ||
      [...document.querySelectorAll("a")].find((a) => a.pathname === path && a.search === search);
    if (link) follow(link);
  }
}

const fieldsOf = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([name]) =>
    form.elements[name].type !== "hidden")).toString();

// One text at a time: while one is on its way, only the newest one waits.
const typing = new Map();

async function type(form) {
  const name = form.dataset.typing;
  if (!isLive()) return; // the next connection begins with it
  if (typing.has(name)) {
    typing.set(name, true);
    return;
  }
  typing.set(name, false);
  await send(name, fieldsOf(form), () => form.submit());
  const again = typing.get(name);
  typing.delete(name);
  if (again) type(form);
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form || !form.dataset.typing) return;
  // A text is one entry of the history, and so is what follows after a pause.
  if (event.timeStamp - typedAt > 2000) push = true;
  typedAt = event.timeStamp;
  // The text is newer than that of a link.
  force = false;
  form.dataset.isTyped = "yes";
  type(form);
});

function sendWhatWasTyped() {
  for (const form of document.querySelectorAll("form[data-is-typed]")) type(form);
}

document.addEventListener("submit", (event) => {
  if (!isLive() && !isWaiting()) return;
  event.preventDefault();
  const form = event.target;
  const name = form.id || form.dataset.typing;
  if (!isLive()) return hold({ form: name, body: fieldsOf(form) });
  push = true;
  send(name, fieldsOf(form), () => form.submit());
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form && form.dataset.form && !event.target.closest(".slider")) form.requestSubmit();
});

// Fields that are not being typed into show the state.

function syncFields(isForced) {
  const state = new URLSearchParams(wanted);
  const years = find("years");
  const [from, to] = (state.get("range[year]") || ":").split(":");
  const fields = [
    [find("query"), state.get("query")],
    [find("director"), state.get("facetQuery[directors]")],
    [years.elements["range[year][min]"], from],
    [years.elements["range[year][max]"], to],
  ];
  for (const [field, value] of fields) {
    const isTyped = field === document.activeElement || typing.has(field.form.dataset.typing);
    if (isTyped && !isForced) continue;
    field.value = value || "";
    delete field.form.dataset.isTyped;
  }
  moveSlider();
}

// The suggestions

find("query").addEventListener("keydown", (event) => {
  const links = [...find("suggestions").querySelectorAll("li a")];
  if (event.key === "Escape") closeSuggestions();
  if (event.key === "ArrowDown" && links.length) {
    event.preventDefault();
    links[0].focus();
  }
});

find("suggestions").addEventListener("keydown", (event) => {
  const links = [...event.currentTarget.querySelectorAll("li a")];
  const position = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    find("query").focus();
    closeSuggestions();
  }
  const isForward = ["ArrowDown", "ArrowRight"].includes(event.key);
  if (!isForward && !["ArrowUp", "ArrowLeft"].includes(event.key)) return;
  event.preventDefault();
  const next = links[position + (isForward ? 1 : -1)];
  (next || find("query")).focus();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("#box") && !event.target.closest("a")) closeSuggestions();
});

function closeSuggestions() {
  const isOpen = find("suggestions").childElementCount > 0;
  if (isOpen && isLive()) send("close", "", () => {});
}

// The slider

const slider = document.querySelector(".slider");
const [first, last] = [Number(slider.dataset.first), Number(slider.dataset.last)];
const handles = ["min", "max"].map((end) => {
  const handle = document.createElement("input");
  Object.assign(handle, { type: "range", min: first, max: last, step: 1 });
  handle.setAttribute("aria-label", end === "min" ? "From year" : "To year");
  handle.setAttribute("form", "");
  slider.append(handle);
  return handle;
});

function moveSlider() {
  const fields = ["min", "max"].map((end) => find("years").elements[`range[year][${end}]`]);
  handles.forEach((handle, index) => {
    if (handle !== document.activeElement || !handle.matches(":active")) {
      handle.value = fields[index].value || (index ? last : first);
    }
  });
  paintSlider();
}

function paintSlider() {
  const share = (value) => ((value - first) / (last - first)) * 100;
  // The handle that can move is above the other one.
  handles[0].style.zIndex = share(handles[0].value) > 50 ? 1 : 0;
  slider.style.setProperty("--from", share(handles[0].value) + "%");
  slider.style.setProperty("--to", share(handles[1].value) + "%");
}

handles.forEach((handle, index) => {
  const field = () => find("years").elements[`range[year][${index ? "max" : "min"}]`];
  handle.addEventListener("input", () => {
    const other = Number(handles[1 - index].value);
    handle.value = index ? Math.max(handle.value, other) : Math.min(handle.value, other);
    const isEnd = Number(handle.value) === (index ? last : first);
    field().value = isEnd ? "" : handle.value;
    paintSlider();
  });
  handle.addEventListener("change", () => find("years").requestSubmit());
});

// Whether the filters are open on a small screen, as long as the tab is.

const filters = find("filters");
filters.open = sessionStorage.getItem("filters") === "open";
filters.addEventListener("toggle", () =>
  sessionStorage.setItem("filters", filters.open ? "open" : ""));

document.documentElement.classList.add("live");
moveSlider();
connect();
