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
    if page.hits.isEmpty, page.failures.isEmpty {
      return "<p class=\"nothing\">No film matches. Remove a filter, or try fewer letters.</p>"
    }
    // A record that does not match its type is left out, which the page says.
    let left: HTML =
      page.failures.isEmpty
      ? "" : "<p class=\"nothing\">\(page.failures.count) films could not be shown.</p>"
    return "<ol class=\"films\">\(page.hits.html(card))</ol>\(left)"
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
      ? "" : "<span class=\"won\" title=\"Oscars\">\(film.oscars) ★</span>"
    return """
      <li class="film"><div class="poster" data-genre="\(genre)" aria-hidden="true">\
      <b>\(film.title)</b><i>\(film.year)</i></div>\
      <div class="about"><h2>\(marked("title", film.title)) \(oscars)</h2>\
      <p class="by">\(film.year) · \(names("directors", film.directors[...])) · \(film.country) · \(film.runtime) min</p>\
      <p class="plot">\(marked("plot", film.plot))</p>\
      <p class="cast">With \(names("cast", film.cast.prefix(4)))</p></div></li>
      """
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
