import AsyncInstantSearch

extension FilmsRenderer {
  /// The whole page. It works without JavaScript: everything is a link or a form.
  ///
  /// - Parameter ignored: The number of parts of the URL that could not be read.
  func page(ignored: Int) throws -> HTML {
    let regions = try regions()
    let notice: HTML =
      ignored == 0
      ? "" : "A part of the address means nothing, and was left out."
    func region(_ id: String) -> HTML { regions[id] ?? "" }
    let text = results.view(of: films.box).query
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="description" content="A century of films, searched as you type.">
      <title>\(title)</title>
      <link rel="icon" href="\(Assets.icon.path)" type="image/svg+xml">
      <link rel="stylesheet" href="\(Assets.css.path)">
      <script src="\(Assets.script.path)" defer></script>
      </head>
      <body>
      <a class="skip" href="#results">Skip to the films</a>
      <header>
      <h1><a href="\(Self.path)" data-key="home">A century of films</a></h1>
      <form id="box" action="\(Self.path)" role="search" data-typing="typing">
      <label class="unseen" for="query">Search films, people and plots</label>
      <input id="query" name="query" type="search" value="\(text)" autocomplete="off"
        placeholder="Search films, people, plots" maxlength="200" spellcheck="false">
      <div id="box-fields" class="fields">\(region("box-fields"))</div>
      <button type="submit">Search</button>
      <div id="suggestions" role="region" aria-label="Suggestions">\(region("suggestions"))</div>
      </form>
      </header>
      <div class="columns">
      <aside aria-label="Filters">
      <details id="filters"><summary>Filters<span id="summary">\(region("summary"))</span></summary>
      </details>
      <div class="panel">
      \(filter("Genre", "genres", region("genres")))
      \(filter("Decade", "decades", region("decades")))
      \(yearsForm(region("years-fields")))
      \(directorsForm(regions))
      \(filter("Place", "places", region("places")))
      \(filter("Oscars", "oscars", region("oscars")))
      </div>
      </aside>
      <main id="results" tabindex="-1">
      <nav aria-label="Place"><ol id="path">\(region("path"))</ol></nav>
      <ul id="chosen" aria-label="Chosen filters">\(region("chosen"))</ul>
      <div class="bar">
      <p id="status" role="status">\(region("status"))</p>
      <p id="notice" class="error">\(notice)</p>
      <p id="connection" role="status"></p>
      <nav aria-label="Order"><ul id="order" class="choices">\(region("order"))</ul></nav>
      </div>
      <div id="hits" tabindex="-1">\(region("hits"))</div>
      <nav id="pages" aria-label="Pages">\(region("pages"))</nav>
      <nav class="sizes" aria-label="Films on a page"><span aria-hidden="true">Films on a page</span>
      <ul id="sizes" class="choices">\(region("sizes"))</ul></nav>
      </main>
      </div>
      <footer><p>Searched by Async InstantSearch, in this process.</p></footer>
      </body>
      </html>

      """
  }

  /// The title of the page.
  var title: String {
    let text = results.view(of: films.box).query
    return text.isEmpty ? "A century of films" : "\(text) · A century of films"
  }

  private func filter(_ title: HTML, _ id: HTML, _ region: HTML) -> HTML {
    """
    <section aria-labelledby="\(id)-title"><h2 id="\(id)-title">\(title)</h2>
    <div id="\(id)">\(region)</div></section>
    """
  }

  private func directorsForm(_ regions: Regions) -> HTML {
    """
    <section aria-labelledby="directors-title"><h2 id="directors-title">Director</h2>
    <form action="\(Self.path)" data-typing="directors">
    <label class="unseen" for="director">Search directors</label>
    <input id="director" name="facetQuery[directors]" type="search" autocomplete="off"
      placeholder="Search directors" value="\(results.view(of: films.directors).searchText)">
    <div id="directors-fields" class="fields">\(regions["directors-fields"])</div>
    <button type="submit">Search</button>
    </form>
    <div id="directors">\(regions["directors"])</div></section>
    """
  }

  /// Two fields, and a slider with two handles for them, which JavaScript moves.
  private func yearsForm(_ fields: HTML) -> HTML {
    let view = results.view(of: films.years)
    let (first, last) = (FilmsScreen.firstYear, FilmsScreen.lastYear)
    func field(_ name: HTML, _ label: HTML, _ bound: Double?, _ end: Int) -> HTML {
      // A bound from a URL can be any number.
      let value: HTML = bound.flatMap { Int(exactly: $0) }.map { "\($0)" } ?? ""
      return """
        <label>\(label) <input type="number" name="range[year][\(name)]" value="\(value)"
          min="\(first)" max="\(last)" placeholder="\(end)" data-end="\(name)"></label>
        """
    }
    return """
      <section aria-labelledby="years-title"><h2 id="years-title">Year</h2>
      <form id="years" action="\(Self.path)" data-form="years">
      <div class="slider" data-first="\(first)" data-last="\(last)"></div>
      <p class="bounds">\(field("min", "From", view.lowerBound, first))
      \(field("max", "To", view.upperBound, last))</p>
      <div id="years-fields" class="fields">\(fields)</div>
      <button type="submit">Apply</button>
      </form></section>
      """
  }
}

/// Joins two parts.
func + (first: HTML, second: HTML) -> HTML { HTML(stringLiteral: first.text + second.text) }
