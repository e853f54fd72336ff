import InstantSearchClient

/// A question about one film, as a person asks it, with the filters that a hasty model makes of it.
struct AgentQuestion: Sendable {
  let text: String
  /// The filters of the first call, with values as the question has them.
  let filters: [String: JSON]
  /// The film that answers it.
  let film: String

  init(_ text: String, _ filters: [String: JSON] = [:], film: String) {
    self.text = text
    self.filters = filters
    self.film = film
  }

  static let all = [
    AgentQuestion(
      "Which silent film shows two fighter pilots in love with the same woman?",
      ["facet_genres": ["Silent"]], film: "f-wings-1927"),
    AgentQuestion(
      "A scientist makes a creature of bodies of the dead", ["facet_genres": ["Sci-Fi"]],
      film: "f-frankenstein-1931"),
    AgentQuestion(
      "Old German film: criminals hunt a murderer of children", ["facet_country": ["German"]],
      film: "f-m-1931"),
    AgentQuestion(
      "Hitchcock film about a shy bride in the great house of her husband's first wife",
      ["facet_directors": ["Hitchcock"]], film: "f-rebecca-1940"),
    AgentQuestion(
      "preacher marries widow, children know where the stolen money is",
      ["facet_genres": ["noir"]], film: "f-the-night-of-the-hunter-1955"),
    AgentQuestion(
      "Comedy in which two musicians disguise themselves as women",
      ["facet_genres": ["Comedies"]], film: "f-some-like-it-hot-1959"),
    AgentQuestion(
      "Godard's film with Belmondo and Seberg", ["facet_directors": ["Godard"]],
      film: "f-breathless-1960"),
    AgentQuestion(
      "medieval Swedish film, landowner gives shelter to the herdsmen who attacked his daughter",
      ["facet_country": ["Swedish"]], film: "f-the-virgin-spring-1960"),
    AgentQuestion(
      "Ozu film about a widower who arranges a marriage for his daughter",
      ["facet_country": ["Japan"], "range_year": ["min": 1962, "max": 1962]],
      film: "f-an-autumn-afternoon-1962"),
    AgentQuestion(
      "western where a senator tells a reporter how he faced an outlaw",
      ["facet_genres": ["western"]], film: "f-the-man-who-shot-liberty-valance-1962"),
    AgentQuestion(
      "fire brigade party where everything goes wrong", ["facet_country": ["Czech Republic"]],
      film: "f-the-firemens-ball-1967"),
    AgentQuestion(
      "swordfighters protect exiled children at a desert inn",
      ["facet_genres": ["Action", "Fantasy"]], film: "f-dragon-inn-1967"),
    AgentQuestion(
      "Catherine Deneuve as a Paris wife who works in a brothel", film: "f-belle-de-jour-1967"),
    AgentQuestion(
      "naive Texan in New York befriends a limping con man, Dustin Hoffman",
      ["facet_genres": ["Drama", "Comedy"]], film: "f-midnight-cowboy-1969"),
    AgentQuestion(
      "detectives and a heroin shipment from Marseille", ["facet_country": ["France"]],
      film: "f-the-french-connection-1971"),
    AgentQuestion(
      "Fassbinder: cleaning woman and a younger Moroccan worker marry",
      ["facet_country": ["Germany"]], film: "f-ali-fear-eats-the-soul-1974"),
    AgentQuestion(
      "King Arthur and his knights search for the grail, British comedy",
      ["facet_country": ["UK"], "facet_genres": ["Comedy"]],
      film: "f-monty-python-and-the-holy-grail-1975"),
    AgentQuestion(
      "Woody Allen film, a television writer between a teenage girlfriend and a mistress",
      ["facet_directors": ["Woody Alen"]], film: "f-manhattan-1979"),
    AgentQuestion(
      "friar and novice investigate deaths in an abbey", ["range_year": ["min": 1990]],
      film: "f-the-name-of-the-rose-1986"),
    AgentQuestion(
      "two farmers in Provence block a spring", ["facet_country": ["French"]],
      film: "f-jean-de-florette-1986"),
    AgentQuestion(
      "Swedish widower and his son work on a Danish farm",
      ["facet_country": ["Sweden"]], film: "f-pelle-the-conqueror-1987"),
    AgentQuestion(
      "Italian director remembers the old projectionist of his village",
      ["facet_country": ["Itly"]], film: "f-cinema-paradiso-1988"),
    AgentQuestion(
      "Japanese cartoon, a boy and his little sister after an air raid",
      ["facet_genres": ["Anime"]], film: "f-grave-of-the-fireflies-1988"),
    AgentQuestion(
      "artificial man with blades in place of hands", ["facet_directors": ["Tim Burton"]],
      film: "f-edward-scissorhands-1990"),
    AgentQuestion(
      "schoolboy among street gangs in Taipei", ["facet_country": ["China"]],
      film: "f-a-brighter-summer-day-1991"),
    AgentQuestion(
      "weatherman lives the same day again and again with Bill Murray",
      ["facet_genres": ["Science Fiction"]], film: "f-groundhog-day-1993"),
    AgentQuestion(
      "Hugh Grant keeps meeting an American woman at weddings",
      ["facet_country": ["England"]], film: "f-four-weddings-and-a-funeral-1994"),
    AgentQuestion(
      "Māori family and a violent drunken husband", film: "f-once-were-warriors-1994"),
    AgentQuestion(
      "Shah Rukh Khan and Kajol fall in love on a European trip",
      ["facet_genres": ["Musical"]], film: "f-dilwale-dulhania-le-jayenge-1995"),
    AgentQuestion(
      "pregnant police chief investigates after a car salesman has his wife kidnapped",
      ["facet_directors": ["Coen"]], film: "f-fargo-1996"),
    AgentQuestion(
      "boy gives up boxing for ballet during the strike of the miners", film: "f-billy-elliot-2000"),
    AgentQuestion(
      "Amelie from Montmartre", ["facet_country": ["France"], "facet_genres": ["Romcom"]],
      film: "f-amelie-2001"),
    AgentQuestion(
      "Korean film about a monk and a boy on a floating temple",
      ["facet_country": ["Korea"]], film: "f-spring-summer-fall-winter-and-spring-2003"),
    AgentQuestion(
      "man erases his girlfriend from his memory, Jim Carrey",
      ["facet_genres": ["sci fi"]], film: "f-eternal-sunshine-of-the-spotless-mind-2004"),
    AgentQuestion(
      "boxing trainer and a waitress who wants to fight",
      ["facet_genres": ["Sports"], "facet_directors": ["Clint Eastwood"]],
      film: "f-million-dollar-baby-2004"),
    AgentQuestion(
      "four children alone in a Tokyo flat", ["facet_country": ["Japan"]],
      film: "f-nobody-knows-2004"),
    AgentQuestion(
      "blind dancer leads officers to a rebel society", ["facet_genres": ["Martial Arts"]],
      film: "f-house-of-flying-daggers-2004"),
    AgentQuestion(
      "bomb disposal team in Baghdad, best picture", ["range_oscars": ["min": 10]],
      film: "f-the-hurt-locker-2008"),
    AgentQuestion(
      "thief who steals secrets from dreams by Nolan",
      ["range_year": ["min": 2000, "max": 2009]], film: "f-inception-2010"),
    AgentQuestion(
      "retired music teachers in Paris and a stroke", ["facet_country": ["Austria"]],
      film: "f-amour-2012"),
    AgentQuestion(
      "train carries the last people across a frozen world",
      ["facet_genres": ["Sci-Fi"], "facet_country": ["United States"]],
      film: "f-snowpiercer-2013"),
    AgentQuestion(
      "Argentinian film of six stories of revenge", ["facet_country": ["Argentinian"]],
      film: "f-wild-tales-2014"),
    AgentQuestion(
      "retired actor runs a hotel in Cappadocia", ["facet_country": ["Turkish"]],
      film: "f-winter-sleep-2014"),
    AgentQuestion(
      "prisoner in Auschwitz wants to bury a boy", ["facet_genres": ["Holocaust"]],
      film: "f-son-of-saul-2015"),
    AgentQuestion(
      "Mexican boy in the land of the dead, Pixar", ["facet_genres": ["Animated"]],
      film: "f-coco-2017"),
    AgentQuestion(
      "seventeen-year-old in Italy falls in love with an American student",
      ["range_year": ["min": 1983, "max": 1983]], film: "f-call-me-by-your-name-2017"),
    AgentQuestion(
      "two cousins compete at the court of Queen Anne", ["facet_genres": ["Historical"]],
      film: "f-the-favourite-2018"),
    AgentQuestion(
      "friendship of two boys in Belgium strained by classmates", film: "f-close-2022"),
    AgentQuestion(
      "laundromat owner and her other selves in the multiverse",
      ["facet_genres": ["Sci-Fi", "Comedy"]], film: "f-everything-everywhere-all-at-once-2022"),
    AgentQuestion(
      "man who cleans toilets in Tokyo and listens to cassettes, by Wim Wenders",
      ["facet_country": ["Germany"]], film: "f-perfect-days-2023"),
  ]
}
