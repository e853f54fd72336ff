// Makes the page live. Without this file every link and form loads the page instead.
//
// The server sends the parts of the page that change, and the page sends what its user does: the
// query of a link, or the fields of a form. It knows no widget.
"use strict";

const path = location.pathname;
let events = null;
let visitor = null;
let sent = 0; // the number of the newest action that was sent
let shown = 0; // the number of the newest action that the page shows
let push = false; // whether the next state is a new entry of the history
let held = null; // what is done when the page shows the newest action
let wanted = location.search.slice(1); // the state for a new connection

const find = (id) => document.getElementById(id);

// Connections

function connect() {
  visitor = null;
  events = new EventSource("/live?" + wanted);
  events.addEventListener("update", (event) => update(JSON.parse(event.data)));
  events.addEventListener("end", () => reconnect());
  events.onerror = () => reconnect();
}

function reconnect() {
  events.close();
  visitor = null;
  document.body.dataset.connection = "lost";
  setTimeout(connect, 700);
}

function update(news) {
  const isNew = visitor === null;
  visitor = news.visitor;
  if (isNew) sent = shown = news.action;
  document.body.dataset.connection = "live";
  shown = Math.max(shown, news.action);
  for (const [id, html] of Object.entries(news.regions)) replace(id, html);
  document.title = news.title;
  showState(news.query);
  syncFields();
  if (shown >= sent && held) {
    const action = held;
    held = null;
    action();
  }
}

function replace(id, html) {
  const region = find(id);
  if (!region) return;
  const key = region.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  region.innerHTML = html;
  if (!key) return;
  const same = region.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (same) same.focus({ preventScroll: true });
  else if (id === "hits") region.focus({ preventScroll: true });
}

// The address

function showState(query) {
  if (sent > shown) return;
  wanted = query;
  const address = query ? path + "?" + query : path;
  if (address === location.pathname + location.search) return;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  push = false;
}

window.addEventListener("popstate", () => {
  push = false;
  send("", location.search.slice(1), () => location.reload());
});

// What the user does

async function send(form, body, otherwise) {
  if (visitor === null) {
    // The next connection begins with it.
    if (!form) wanted = body;
    return;
  }
  const number = ++sent;
  try {
    const answer = await fetch(`/live/${visitor}?action=${number}${form && "&form=" + form}`, {
      method: "POST", body, keepalive: true,
    });
    if (!answer.ok) {
      sent = shown;
      if (answer.status === 410) reconnect();
      else if (answer.status !== 400) otherwise();
    }
  } catch {
    sent = shown;
    reconnect();
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  if (link.pathname !== path || link.host !== location.host || link.hash) return;
  event.preventDefault();
  follow(link);
});

function follow(link) {
  // A link is of the state that is shown, so it waits until that is the newest one.
  if (sent > shown) {
    const key = link.dataset.key;
    held = () => {
      const same = document.querySelector(`[data-key="${CSS.escape(key || "")}"]`);
      if (same) follow(same);
    };
    return;
  }
  push = true;
  send("", link.search.slice(1), () => location.assign(link.href));
  if (link.dataset.key === "next" || (link.dataset.key || "").startsWith("page ")) {
    window.scrollTo({ top: 0 });
  }
}

const fieldsOf = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([name]) =>
    form.elements[name].type !== "hidden")).toString();

// One text at a time: while one is on its way, only the newest one waits.
const typing = new Map();

async function type(form) {
  const name = form.dataset.typing;
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
  if (form && form.dataset.typing) type(form);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  push = true;
  send(form.id || form.dataset.typing, fieldsOf(form), () => form.submit());
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form && form.dataset.form && !event.target.closest(".slider")) form.requestSubmit();
});

// Fields that are not being typed into show the state.

function syncFields() {
  const state = new URLSearchParams(wanted);
  const text = find("query");
  if (text !== document.activeElement) text.value = state.get("query") || "";
  const range = (state.get("range[year]") || ":").split(":");
  const years = find("years");
  const bounds = [years.elements["range[year][min]"], years.elements["range[year][max]"]];
  bounds.forEach((field, index) => {
    if (field !== document.activeElement) field.value = range[index] || "";
  });
  moveSlider();
}

// The suggestions

find("query").addEventListener("keydown", (event) => {
  const links = [...find("suggestions").querySelectorAll("li a")];
  if (event.key === "Escape") send("close", "", () => {});
  if (event.key === "ArrowDown" && links.length) {
    event.preventDefault();
    links[0].focus();
  }
});

find("suggestions").addEventListener("keydown", (event) => {
  const links = [...event.currentTarget.querySelectorAll("li a")];
  const position = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    send("close", "", () => {});
    find("query").focus();
  }
  const isForward = ["ArrowDown", "ArrowRight"].includes(event.key);
  if (!isForward && !["ArrowUp", "ArrowLeft"].includes(event.key)) return;
  event.preventDefault();
  const next = links[position + (isForward ? 1 : -1)];
  (next || find("query")).focus();
});

document.addEventListener("click", (event) => {
  const isOpen = find("suggestions").childElementCount > 0;
  if (isOpen && !event.target.closest("#box")) send("close", "", () => {});
});

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

document.documentElement.classList.add("live");
moveSlider();
connect();
