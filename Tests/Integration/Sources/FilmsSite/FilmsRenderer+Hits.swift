import AsyncInstantSearch

extension FilmsRenderer {
  /// How many films were found, or why none are shown.
  var status: HTML {
    if case .failed(let error) = results.searchState {
      return "<span class=\"error\">\(error.message)</span>"
    }
    let page = results.page(of: Hit<Film>.self)
    let time: HTML = page.processingTimeMS > 0 ? " in \(page.processingTimeMS) ms" : ""
    switch page.nbHits {
    case 0: return "No film found"
    case 1: return "One film\(time)"
    default: return "\(page.nbHits) films\(time)"
    }
  }

  /// The films of the page.
  var hits: HTML {
    let page = results.page(of: Hit<Film>.self)
    if page.hits.isEmpty, page.failures.isEmpty { return nothing(page) }
    // A record that does not match its type is left out, which the page says.
    let left: HTML =
      page.failures.isEmpty
      ? "" : "<p class=\"nothing\">\(page.failures.count) films could not be shown.</p>"
    return "<ol class=\"films\">\(page.hits.html(card))</ol>\(left)"
  }

  /// Why no film is shown, and what helps.
  private func nothing(_ page: HitsPage<Hit<Film>>) -> HTML {
    func link(_ label: HTML, _ key: String, _ action: WidgetAction<some SearchWidget>) -> HTML {
      // A page of which not even a link can be made has its text.
      (try? self.link(label, key, action)) ?? label
    }
    if page.nbHits > 0 {
      let first = link("Go to the first page", "page 0", films.pages.show(0))
      return "<p class=\"nothing\">There is no page \(page.page + 1). \(first)</p>"
    }
    let hasFilters = results.view(of: films.clear).canRefine
    let hasText = !results.view(of: films.box).query.isEmpty
    let clear = link("Clear the filters", "clear", films.clear.clear())
    let help: HTML =
      switch (hasFilters, hasText) {
      case (true, true): "\(clear), or try fewer letters."
      case (true, false): "\(clear)."
      case (false, _): "Try fewer letters, or other ones."
      }
    return "<p class=\"nothing\">No film matches. \(help)</p>"
  }

  private func card(_ film: Hit<Film>) -> HTML {
    func marked(_ attribute: String, _ text: String) -> HTML {
      film.highlighted(attribute).map { HTML($0) } ?? HTML(text)
    }
    let genre = film.genres.first ?? "Drama"
    func names(_ attribute: String, _ names: ArraySlice<String>) -> HTML {
      let names = names.indices.map { marked("\(attribute).\($0)", names[$0]).text }
      return HTML(stringLiteral: names.joined(separator: ", "))
    }
    let oscars: HTML =
      film.oscars == 0
      ? ""
      : """
      <span class="won">\(film.oscars) <span aria-hidden="true">★</span>\
      <span class="unseen">\(film.oscars == 1 ? "Oscar" : "Oscars")</span></span>
      """
    return """
      <li class="film"><div class="poster" data-genre="\(genre)" aria-hidden="true">\
      <b>\(Self.initial(of: film.title))</b><i>\(genre)</i></div>\
      <div class="about"><h2>\(marked("title", film.title)) \(oscars)</h2>\
      <p class="by">\(film.year) · \(names("directors", film.directors[...])) · \(film.country) · \(film.runtime)\u{A0}min</p>\
      <p class="plot">\(marked("plot", film.plot))</p>\
      <p class="cast">With \(names("cast", film.cast.prefix(4)))</p></div></li>
      """
  }

  /// The first letter or digit of a title, without an article before it.
  private static func initial(of title: String) -> String {
    let articles = ["The ", "A ", "An "]
    let words =
      articles.first { title.hasPrefix($0) }.map { title.dropFirst($0.count) } ?? title[...]
    return words.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "•"
  }

  /// Links to the pages around the current one.
  var pages: HTML {
    get throws {
      let view = results.view(of: films.pages)
      if view.nbPages < 2 { return "" }
      func step(_ label: HTML, _ key: String, _ page: Int, _ isPossible: Bool) throws -> HTML {
        guard isPossible else { return "" }
        return "<li>\(try link(label, key, films.pages.show(page)))</li>"
      }
      let previous = try step("Previous", "previous", view.currentPage - 1, !view.isFirstPage)
      let next = try step("Next", "next", view.currentPage + 1, !view.isLastPage)
      let numbers = try view.pages.html { page in
        let label: HTML = "<span class=\"unseen\">Page </span>\(page + 1)"
        let isCurrent = page == view.currentPage
        return
          "<li>\(try link(label, "page \(page)", isOn: isCurrent, films.pages.show(page)))</li>"
      }
      return "<ul>\(previous)\(numbers)\(next)</ul>"
    }
  }
}
