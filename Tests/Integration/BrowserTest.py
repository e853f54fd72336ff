"""Uses FilmsPage in headless Chromium, and prints a line for each thing that is tried.

usage: BrowserTest.py PROGRAM [FOLDER FOR SCREENSHOTS] [pictures]
With "pictures" only the picture of the README is made.
"""
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    import axe_core_python.sync_playwright as axe_core
except ImportError:
    axe_core = None
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

program, folder = sys.argv[1], (sys.argv[2:] + [None])[0]
failures = 0


class Server:
    """The program, which listens on the same port when it is started again."""

    port = 0

    def start(self):
        self.process = subprocess.Popen(
            [program, "--port", str(self.port)], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline()).group(1))

    def stop(self):
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(10)
        return status, time.monotonic() - start

    def url(self, query=""):
        return f"http://127.0.0.1:{self.port}/films" + (f"?{query}" if query else "")


def browser(width=1280, height=900, javascript=True, dark=False):
    options = Options()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not javascript:
        options.add_experimental_option(
            "prefs", {"profile.managed_default_content_settings.javascript": 2})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_window_size(width, height)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    return driver


class Page:
    """An open page and what a user does with it."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, url):
        self.driver.get(url)
        return self

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        # In one step, because the page may change between two.
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())",
            selector)

    def titles(self):
        return [re.sub(r"\s*\d+ ★.*$", "", text, flags=re.S) for text in self.texts(".about h2")]

    def years(self):
        return [int(text.split(" ")[0]) for text in self.texts(".by")]

    def value(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def top(self, selector):
        return self.value(
            "document.querySelector(arguments[0]).getBoundingClientRect().top", selector)

    def count(self):
        text = "".join(self.texts("#status"))
        return 1 if text.startswith("One") else int((re.match(r"\d+", text) or ["0"])[0])

    def query(self):
        query = urllib.parse.urlsplit(self.driver.current_url).query
        return dict(urllib.parse.parse_qsl(query))

    def is_live(self):
        return self.driver.execute_script("return document.body.dataset.connection") == "live"

    def type(self, text, selector="#query"):
        self.find(selector).send_keys(text)

    def click(self, key):
        self.driver.execute_script(
            "document.querySelector(`[data-key=\"${CSS.escape(arguments[0])}\"]`).click()", key)

    def follow(self, key):
        """Clicks as a user does, for a page without JavaScript."""
        self.find(f'[data-key="{key}"]').click()

    def shot(self, name):
        if folder:
            self.driver.save_screenshot(f"{folder}/{name}.png")


def wait(condition, seconds=10):
    """Waits until a condition holds; returns whether it does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return True
        except Exception:
            pass  # An element may have been replaced.
        time.sleep(0.01)
    return False


def check(name, is_right, detail=""):
    global failures
    failures += not is_right
    print(f"{'ok  ' if is_right else 'FAIL'} {name} {detail}", flush=True)


def with_javascript(server):
    page = Page(browser()).open(server.url())
    check("the page becomes live", wait(page.is_live))
    page.shot("page")
    page.type("godfathr")
    check("typing with a mistake", wait(lambda: page.titles()[:2] == [
        "The Godfather Part II", "The Godfather"]), page.titles()[:2])
    check("matches are marked", "Godfather" in page.texts(".about mark"))
    check("suggestions of films and people",
          wait(lambda: "The Godfather" in page.texts("#suggestions li a")))
    check("the URL is in step", wait(lambda: page.query().get("query") == "godfathr"))
    page.shot("typing")

    page.find("#query").send_keys(Keys.ARROW_DOWN)
    check("an arrow key enters the suggestions", page.driver.execute_script(
        "return document.activeElement.closest('#suggestions') !== null"))
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    check("a chosen suggestion is searched, and the list closes", wait(
        lambda: page.texts("#suggestions li") == []
        and page.query().get("query", "").startswith("The Godfather")), page.query())

    page.open(server.url())
    wait(page.is_live)
    everything = page.count()
    page.click("genres War")
    check("a facet filters", wait(lambda: 0 < page.count() < everything), page.count())
    war = page.count()
    page.click("genres Crime")
    check("a second value is an OR", wait(lambda: page.count() > war), page.count())
    both = page.count()
    check("chosen filters are listed", [text.split("\n")[-1] for text in page.texts("#chosen a")]
          == ["Genre: War ×", "Genre: Crime ×", "Clear all"], page.texts("#chosen a"))
    page.shot("facets")
    page.driver.back()
    check("back", wait(lambda: page.count() == war), page.query())
    page.driver.back()
    check("back to the first state", wait(lambda: page.count() == everything))
    page.driver.forward()
    page.driver.forward()
    check("forward twice", wait(lambda: page.count() == both), page.query())
    titles = page.titles()
    page.driver.refresh()
    check("a reload by the URL", wait(lambda: page.is_live() and page.titles() == titles))

    page.type("kuros", "#director")
    check("search in a facet",
          wait(lambda: page.texts("#directors li span:first-child")[:1] == ["Akira Kurosawa"]),
          page.texts("#directors li"))
    page.click("clear")
    check("clear all", wait(lambda: page.count() == everything))
    check("the searched values stay",
          wait(lambda: page.texts("#directors li span:first-child")[:1] == ["Akira Kurosawa"]))
    page.click("directors Akira Kurosawa")
    check("a searched value filters", wait(lambda: 0 < page.count() < 30), page.count())
    page.click("chosen directors Akira Kurosawa")
    check("a chosen filter is removed", wait(lambda: page.count() == everything))

    page.click("place Asia")
    check("a hierarchy opens", wait(
        lambda: "Japan" in page.texts("#places ul ul span:first-child")))
    page.click("place Asia > Japan")
    check("its path is shown", wait(
        lambda: page.texts("#path li") == ["The world", "Asia", "Japan"]), page.texts("#path li"))
    page.click("path")
    check("the path leads back", wait(lambda: page.count() == everything))

    page.driver.execute_script("""
        const handle = document.querySelectorAll('.slider input')[0];
        handle.value = 1990;
        handle.dispatchEvent(new Event('input', {bubbles: true}));
        handle.dispatchEvent(new Event('change', {bubbles: true}));""")
    check("the slider filters", wait(
        lambda: page.count() < everything and page.query().get("range[year]") == "1990:"),
        page.query())
    check("every film is in the range", all(year >= 1990 for year in page.years()))
    check("a range is one chip", "Year: from 1990 ×" in [
        text.split("\n")[-1] for text in page.texts("#chosen a")], page.texts("#chosen a"))
    page.click("clear")
    wait(lambda: page.count() == everything)
    page.click("oscars 3")
    check("a minimum without a maximum", wait(
        lambda: "Oscars: 5 or more ×" in [
            text.split("\n")[-1] for text in page.texts("#chosen a")]
        and page.query().get("numericMenu[oscars]") == "5:"), page.query())
    page.click("order films_oscars")
    check("films with the most Oscars are not hidden", wait(
        lambda: {"Titanic", "Ben-Hur"} < set(page.titles())), page.titles())
    page.click("oscars 0")
    check("and can be taken back", wait(lambda: page.count() == everything))
    page.click("decade 2000s")
    check("a decade", wait(lambda: page.query().get("menu[decade]") == "2000s"), page.count())
    page.click("order films_oldest")
    check("another order", wait(
        lambda: page.years() == sorted(page.years())
        and page.query().get("sortBy") == "films_oldest"), page.years())
    page.click("clear")
    wait(lambda: page.count() == everything)
    page.click("next")
    check("the next page", wait(lambda: page.query().get("page") == "2"))
    page.click("size 48")
    check("more on a page", wait(lambda: len(page.titles()) == 48))
    # Three clicks in a row: the later links are of the state before the first one.
    page.driver.execute_script("""
        for (const key of ['genres Drama', 'genres Comedy', 'genres Romance'])
          document.querySelector(`[data-key="${key}"]`).click()""")
    check("three clicks at once are all done", wait(
        lambda: len(page.texts("#chosen li")) == 4), page.texts("#chosen a"))
    page.click("clear")
    wait(lambda: page.count() == everything)
    page.type("alien")
    wait(lambda: page.query().get("query") == "alien")
    page.driver.back()
    check("back removes a typed text, also from the box", wait(
        lambda: "query" not in page.query()
        and page.find("#query").get_property("value") == ""), page.query())
    page.find('[name="range[year][max]"]').send_keys("1950", Keys.TAB)
    wait(lambda: page.query().get("range[year]") == ":1950")
    page.find('[name="range[year][min]"]').send_keys("1990", Keys.ENTER)
    check("years in the other order are the same years", wait(
        lambda: page.query().get("range[year]") == "1950:1990"), page.query())
    page.click("clear")
    wait(lambda: page.count() == everything)
    page.type("a")
    wait(lambda: page.query().get("query") == "a")
    errors = [entry for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
    check("no error in the console", errors == [], errors)
    page.driver.quit()


def two_visitors(server):
    first, second = Page(browser()).open(server.url()), Page(browser()).open(server.url())
    check("two visitors", wait(lambda: first.is_live() and second.is_live()))
    first.type("kubrick")
    second.type("kurosawa")
    check("each sees its own films", wait(
        lambda: "The Shining" in first.titles() and "Seven Samurai" in second.titles()))
    first.driver.quit()
    second.type(" 1954")
    check("one leaves, the other stays", wait(lambda: second.query().get("query") == "kurosawa 1954"))
    second.driver.quit()


def restart(server):
    page = Page(browser()).open(server.url("query=alien"))
    wait(page.is_live)
    titles = page.titles()
    status, seconds = server.stop()
    check("the server ends with an open page", status == 0 and seconds < 2, f"{seconds:.2f} s")
    check("the page says so", wait(lambda: not page.is_live()))
    check("and keeps its films", page.titles() == titles)
    page.type("s")
    server.start()
    check("it is live again", wait(page.is_live, 30))
    check("with what was typed meanwhile", wait(
        lambda: page.query().get("query") == "aliens"), page.query())
    wait(lambda: page.texts("#suggestions li") != [])
    page.click("genres Horror")
    check("and it works", wait(lambda: "Horror" in str(page.query())), page.query())
    # The server is gone, and the page does not know it yet.
    server.process.kill()
    server.process.wait()
    page.driver.execute_script("""
        document.querySelector('[data-key="size 48"]').click();
        const year = document.querySelector('[name="range[year][min]"]');
        year.value = '1950';
        year.form.requestSubmit()""")
    page.find("#query").send_keys(Keys.ENTER)
    time.sleep(1)
    server.start()
    check("a click and forms that did not arrive are done", wait(
        lambda: page.query().get("hitsPerPage") == "48"
        and page.query().get("range[year]") == "1950:", 30),
        page.query())
    page.driver.quit()


def without_javascript(server):
    page = Page(browser(javascript=False)).open(server.url())
    everything = page.count_plain()
    page.type("hitchcok")
    page.find("#box").submit()
    check("without JavaScript: a mistake in the text", page.count_plain() > 5, page.count_plain())
    page.follow("genres Thriller")
    found = page.count_plain()
    check("without JavaScript: a facet keeps the text", page.query().get("query") == "hitchcok"
          and 0 < found < everything, page.query())
    page.find('[name="facetQuery[directors]"]').send_keys("alfr")
    page.find('[name="facetQuery[directors]"]').submit()
    check("without JavaScript: search in a facet", page.find("#directors li").text.startswith("Alfred"))
    page.find('[name="range[year][min]"]').send_keys("1955")
    page.find('[name="range[year][min]"]').submit()
    check("without JavaScript: a range", 0 < page.count_plain() < found, page.query())
    page.shot("without-javascript")
    page.open(server.url("range[year][min]=2000&range[year][max]=1990"))
    check("without JavaScript: years in the other order are the same years",
          page.find('[name="range[year][min]"]').get_property("value") == "1990"
          and 0 < page.count_plain() < everything, page.count_plain())
    page.open(server.url("query=hitchcok&range[year][min]=1955"))
    page.follow("clear")
    check("without JavaScript: clear all", page.count_plain() > found)
    page.driver.back()
    check("without JavaScript: back", page.count_plain() < found)
    page.driver.quit()


def plain_count(page):
    text = page.find("#status").text
    return 1 if text.startswith("One") else int((re.match(r"\d+", text) or ["0"])[0])


Page.count_plain = plain_count


def phone(server):
    driver = browser(390, 844)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page = Page(driver).open(server.url())
    wait(page.is_live)
    width = page.value("document.documentElement.scrollWidth")
    check("a phone shows no wider page", width <= page.value("innerWidth"), width)
    check("a phone shows films", page.top(".film") < 420, page.top(".film"))
    page.find("#query").click()
    page.type("love")
    check("a phone shows films while typing", wait(
        lambda: "love" == page.query().get("query") and page.texts("#suggestions li") != []
        and page.top(".film") < 420), page.top(".film"))
    page.shot("phone")
    summary = page.find("#filters summary")
    check("filters are closed, and say how many films there are",
          summary.text.startswith("Filters · ") and not page.find("#genres").is_displayed())
    summary.click()
    check("filters open", wait(lambda: page.find("#genres").is_displayed()))
    page.click("genres Drama")
    check("their number is on the button", wait(
        lambda: "Filters (1)" in page.find("#filters summary").text),
        page.find("#filters summary").text)
    page.shot("phone-filters")
    page.driver.refresh()
    check("and they stay as they were", wait(
        lambda: page.is_live() and page.find("#genres").is_displayed()))
    page.driver.quit()
    page = Page(browser(dark=True)).open(server.url("query=night"))
    wait(page.is_live)
    page.shot("dark")
    page.driver.quit()


def suggestions(server):
    page = Page(browser()).open(server.url())
    wait(page.is_live)
    before = page.top("#hits")
    page.type("kur")
    wait(lambda: page.texts("#suggestions li") != [])
    check("nothing moves when suggestions open", page.top("#hits") == before, page.top("#hits"))
    check("they have no scroll bar over them", page.value(
        "getComputedStyle(document.querySelector('#suggestions')).scrollbarWidth") == "none")
    name = page.texts("#suggestions li a")[0]
    page.find("#suggestions li a").click()
    check("a chosen suggestion is in the box", wait(
        lambda: page.find("#query").get_property("value") == name
        and page.query().get("query") == name), page.find("#query").get_property("value"))
    page.driver.quit()


def details(server):
    page = Page(browser()).open(server.url("page=2000"))
    wait(page.is_live)
    check("a page that is not there says so", "There is no page 2000. Go to the first page"
          in page.texts(".nothing"), page.texts(".nothing"))
    page.click("page 0")
    check("and leads to the first one", wait(lambda: page.titles() != []))
    page.open(server.url("query=xyzxyz"))
    wait(page.is_live)
    check("advice fits the search", page.texts(".nothing") == [
        "No film matches. Try fewer letters, or other ones."], page.texts(".nothing"))
    headings = page.value("""[...document.querySelectorAll('aside h2')]
        .filter(e => e.checkVisibility()).map(e => e.innerText)""")
    check("no heading without values", headings == ["YEAR", "OSCARS"], headings)
    page.open(server.url("range[year][min]=abc"))
    wait(page.is_live)
    time.sleep(0.5)
    check("a wrong address says so, also when the page is live",
          "means nothing" in page.find("#notice").text, page.find("#notice").text)
    page.click("genres Romance")
    check("until something is done", wait(lambda: page.find("#notice").text == ""))
    page.open(server.url())
    wait(page.is_live)
    place = page.texts("#genres li span:first-child").index("Romance")
    page.click("genres Romance")
    check("a chosen value keeps its place", wait(
        lambda: "Romance" in str(page.query())
        and page.texts("#genres li span:first-child")[place] == "Romance"),
        page.texts("#genres li span:first-child"))
    for width in [390, 768, 1280]:
        page.driver.set_window_size(width, 900)
        wide = page.value("""[...document.querySelectorAll('.about h2, .about p, .poster *')]
            .filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
            .map(e => e.innerText)""")
        check(f"no word is wider than its place at {width}", wide == [], wide)
    page.driver.set_window_size(1280, 900)
    edges = [round(page.value("document.querySelector(arguments[0]).getBoundingClientRect().left",
                              selector)) for selector in ["h1 a", "aside h2"]]
    check("the title is above its column", abs(edges[0] - edges[1]) <= 1, edges)
    page.driver.quit()


def slow_server(server):
    """The server stops for a while, and goes on."""
    page = Page(browser()).open(server.url("query=alien"))
    wait(page.is_live)
    os.kill(server.process.pid, signal.SIGSTOP)
    page.type("s")
    check("what waits shows it", wait(
        lambda: page.find("#hits").get_attribute("aria-busy") == "true"))
    page.shot("searching")
    page.find("h1 a").click()
    os.kill(server.process.pid, signal.SIGCONT)
    check("a click on the title is not lost", wait(
        lambda: page.query() == {} and page.find("#query").get_property("value") == ""
        and page.find("#hits").get_attribute("aria-busy") == "false"), page.query())
    server.stop()
    wait(lambda: not page.is_live())
    page.find('[data-key="genres War"]').click()
    check("a click without a server waits for it", wait(
        lambda: "Nothing is lost" in "".join(page.texts("#connection"))), page.texts("#connection"))
    page.shot("stopped")
    server.start()
    check("and is done", wait(lambda: "War" in str(page.query()), 30), page.query())
    page.driver.quit()


def responses(server):
    def get(path, method="GET", **headers):
        request = urllib.request.Request(
            f"http://127.0.0.1:{server.port}{path}", method=method, headers=headers)
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            return error

    check("HEAD", get("/films", "HEAD").status == 200)
    missing = get("/nowhere", Accept="text/html")
    check("a page for what is not there", missing.status == 404
          and b"There is no such page." in missing.read())
    page = get("/films", **{"Accept-Encoding": "gzip"})
    check("the page is compressed", page.headers["Content-Encoding"] == "gzip")
    text = get("/films").read().decode()
    style = re.search(r'href="(/page\.css\?\w+)"', text)[1]
    check("its files can be kept", "immutable" in get(style).headers["Cache-Control"])


def axe(server):
    """What axe finds against WCAG 2.2, A and AA."""
    if axe_core is None:
        print("skipped: axe-core-python is not installed")
        return
    script = open(os.path.join(os.path.dirname(axe_core.__file__), "axe.min.js")).read()
    for width, height in [(390, 844), (1280, 900)]:
        for dark in [False, True]:
            page = Page(browser(width, height, dark=dark))
            for query in ["", "query=the&refinementList[genres][0]=War", "query=xyzxyz"]:
                page.open(server.url(query))
                wait(page.is_live)
                if query.startswith("query=the"):
                    page.type("m")
                    wait(lambda: page.texts("#suggestions li") != [])
                if width < 500:
                    page.driver.execute_script("document.getElementById('filters').open = true")
                page.driver.execute_script(script)
                found = page.driver.execute_async_script("""
                    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
                    axe.run({runOnly: tags}).then(r => arguments[0](r.violations.map(
                      v => [v.id, v.nodes.length, v.nodes[0].html, v.nodes[0].failureSummary])))""")
                check(f"axe at {width}{' dark' if dark else ''} {query}", found == [], found[:4])
            page.driver.quit()


def pictures_of_all(server):
    """Every size and state, to be looked at."""
    if not folder:
        return
    states = {"all": "", "found": "query=war&refinementList[genres][0]=Drama", "none": "query=xyzxyz"}
    for width, height in [(390, 844), (768, 1024), (1280, 800), (1920, 1080)]:
        for dark in [False, True]:
            for javascript in [True, False]:
                page = Page(browser(width, height, javascript, dark))
                for name, query in states.items():
                    page.open(server.url(query))
                    if javascript:
                        wait(page.is_live)
                    page.shot(f"{width}{'-dark' if dark else ''}{'' if javascript else '-plain'}-{name}")
                page.driver.quit()


def accessibility(server):
    page = Page(browser()).open(server.url("refinementList[genres][0]=War&query=a"))
    wait(page.is_live)
    unnamed = page.driver.execute_script("""
        return [...document.querySelectorAll('a, button, input:not([type=hidden])')].filter(e => {
          const label = e.getAttribute('aria-label') || e.innerText.trim()
            || [...(e.labels || [])].map(l => l.innerText).join('').trim();
          return !label;
        }).map(e => e.outerHTML.slice(0, 90))""")
    check("everything that can be used has a name", unnamed == [], unnamed)
    page.find("body").send_keys(Keys.TAB)
    check("the first stop skips to the films", page.driver.execute_script(
        "return document.activeElement.className") == "skip")
    hidden = []
    page.driver.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    page.find("#pages a").send_keys("")
    for _ in range(70):
        page.driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
        box = page.value("""(() => {
            const e = document.activeElement, h = document.querySelector('header');
            return [e.getBoundingClientRect().top, h.getBoundingClientRect().bottom,
              h.contains(e) || e === document.body || e.className === 'skip', e.outerHTML.slice(0, 80)];
            })()""")
        if not box[2] and box[0] < box[1] - 1:
            hidden.append(box)
    check("no stop is under the header", hidden == [], hidden[:3])
    # A link that is followed with the keyboard keeps the focus.
    page.driver.execute_script(
        "document.querySelector('[data-key=\"genres Drama\"]').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    check("a facet that is chosen with the keyboard keeps the focus", wait(
        lambda: page.driver.execute_script(
            "return document.activeElement.dataset.key") == "genres Drama"
        and "Drama" in str(page.query())))
    page.driver.execute_script("document.querySelector('[data-key=\"clear\"]').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    check("after Clear all the focus is at the films", wait(
        lambda: page.texts("#chosen li") == []
        and page.driver.execute_script("return document.activeElement.id") == "hits"))
    page.driver.quit()


def latency(server):
    """The time from a key to the drawn films, in the browser's own clock."""
    page = Page(browser()).open(server.url())
    wait(page.is_live)
    page.driver.execute_script("""
        window.times = [];
        let typed = null;
        document.addEventListener('input', (event) => { typed = event.timeStamp; }, true);
        new MutationObserver(() => {
          const start = typed;
          typed = null;
          if (start === null) return;
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => window.times.push(performance.now() - start);
            channel.port2.postMessage(null);
          });
        }).observe(document.getElementById('hits'), {childList: true});""")
    for text in ["casablanca", "seven samurai", "the shining", "vertigo", "amelie", "spirited"]:
        for letter in text:
            before = page.driver.execute_script("return window.times.length")
            page.type(letter)
            # A letter that changes no film draws nothing.
            wait(lambda: page.driver.execute_script("return window.times.length") > before, 0.3)
        page.find("#query").clear()
        time.sleep(0.1)
    times = sorted(page.driver.execute_script("return window.times"))
    middle, late = statistics.median(times), times[int(len(times) * 0.95)]
    check("key to drawn films", len(times) > 40 and late < 500,
          f"{len(times)} keys: median {middle:.1f} ms, p95 {late:.1f} ms, slowest {times[-1]:.1f} ms")
    page.driver.quit()


def picture(server):
    """The picture of the README."""
    page = Page(browser(1180, 800)).open(server.url())
    wait(page.is_live)
    page.type("kurosawa")
    wait(lambda: "Seven Samurai" in page.titles())
    page.click("genres Drama")
    wait(lambda: len(page.texts("#chosen li")) == 2)
    page.driver.execute_script("document.activeElement.blur()")
    page.shot("films-page")
    page.driver.quit()


parts = [
    with_javascript, two_visitors, restart, without_javascript, phone, suggestions, details,
    slow_server, responses, accessibility, axe, latency, pictures_of_all,
]
server = Server()
server.start()
try:
    for part in [picture] if "pictures" in sys.argv else parts:
        part(server)
finally:
    status, seconds = server.stop()
    check("the server ends", status == 0 and seconds < 2, f"{seconds:.2f} s")
print(f"{failures} failures")
sys.exit(1 if failures else 0)
