// The irregular nouns of English, chosen by hand.
extension EnglishForms {
  /// The plurals of nouns that do not follow the rules.
  static let irregularPlurals: [String: [String]] = {
    var result: [String: [String]] = [
      "man": ["men"], "woman": ["women"], "child": ["children"], "person": ["people", "persons"],
      "foot": ["feet"], "tooth": ["teeth"], "goose": ["geese"], "mouse": ["mice"],
      "louse": ["lice"], "ox": ["oxen"], "die": ["dice", "dies"], "penny": ["pennies", "pence"],
      "knife": ["knives"], "life": ["lives"], "wife": ["wives"], "leaf": ["leaves"],
      "loaf": ["loaves"], "half": ["halves"], "self": ["selves"], "shelf": ["shelves"],
      "wolf": ["wolves"], "thief": ["thieves"], "calf": ["calves"], "elf": ["elves"],
      "sheaf": ["sheaves"], "hoof": ["hooves", "hoofs"], "scarf": ["scarves", "scarfs"],
      "wharf": ["wharves", "wharfs"], "dwarf": ["dwarves", "dwarfs"],
      "datum": ["data"], "medium": ["media", "mediums"], "bacterium": ["bacteria"],
      "curriculum": ["curricula", "curriculums"], "memorandum": ["memoranda", "memorandums"],
      "stratum": ["strata"], "erratum": ["errata"], "serum": ["sera", "serums"],
      "spectrum": ["spectra", "spectrums"], "maximum": ["maxima", "maximums"],
      "minimum": ["minima", "minimums"], "momentum": ["momenta"],
      "millennium": ["millennia", "millenniums"], "quantum": ["quanta"],
      "auditorium": ["auditoria", "auditoriums"], "equilibrium": ["equilibria"],
      "symposium": ["symposia", "symposiums"], "stadium": ["stadia", "stadiums"],
      "aquarium": ["aquaria", "aquariums"], "criterion": ["criteria"],
      "phenomenon": ["phenomena"], "cactus": ["cacti", "cactuses"], "fungus": ["fungi"],
      "nucleus": ["nuclei"], "radius": ["radii", "radiuses"], "stimulus": ["stimuli"],
      "alumnus": ["alumni"], "focus": ["foci", "focuses"], "syllabus": ["syllabi", "syllabuses"],
      "locus": ["loci"], "genus": ["genera"], "corpus": ["corpora"],
      "octopus": ["octopuses", "octopi"], "hippopotamus": ["hippopotami", "hippopotamuses"],
      "terminus": ["termini"], "index": ["indices", "indexes"],
      "appendix": ["appendices", "appendixes"], "matrix": ["matrices", "matrixes"],
      "vertex": ["vertices"], "vortex": ["vortices"], "apex": ["apices", "apexes"],
      "cortex": ["cortices"], "codex": ["codices"], "helix": ["helices"], "axis": ["axes"],
      "axe": ["axes"], "ax": ["axes"], "formula": ["formulas", "formulae"],
      "antenna": ["antennas", "antennae"], "larva": ["larvae"], "alga": ["algae"],
      "vertebra": ["vertebrae"], "nebula": ["nebulae", "nebulas"],
      "schema": ["schemas", "schemata"], "stigma": ["stigmata", "stigmas"],
      "lemma": ["lemmas", "lemmata"], "bureau": ["bureaus", "bureaux"],
      "plateau": ["plateaus", "plateaux"], "chateau": ["chateaus", "chateaux"],
      "tableau": ["tableaux"], "gateau": ["gateaux", "gateaus"], "beau": ["beaux", "beaus"],
      "quiz": ["quizzes"], "bus": ["buses", "busses"], "gas": ["gases", "gasses"],
      "yes": ["yeses"],
    ]
    for word in [
      "photo", "piano", "memo", "logo", "pro", "kilo", "auto", "disco", "casino", "studio", "radio",
      "solo", "taco", "burrito", "avocado", "soprano", "zero", "euro", "silo", "turbo", "torso",
      "tempo", "concerto", "stomach", "monarch", "epoch", "loch", "tech",
    ] {
      result[word] = [word + "s"]
    }
    return result
  }()

  /// Irregular nouns that other nouns end with: `grandchild`, `bookshelf`.
  static let compoundHeads = [
    "child", "woman", "person", "foot", "tooth", "mouse", "knife", "wife", "leaf", "loaf", "shelf",
    "wolf",
  ]

  /// Nouns that end with `man` and have a regular plural.
  static let regularMan: Set<String> = [
    "human", "german", "roman", "talisman", "ottoman", "shaman", "caiman", "norman",
  ]

  /// Words that end like a plural and are none, except for the ones with `ss`, `us` and `is`.
  static let notPlural: Set<String> = [
    "series", "species", "news", "lens", "physics", "mathematics", "economics", "politics",
    "ethics", "athletics", "gymnastics", "electronics", "statistics", "mechanics", "optics",
    "acoustics", "linguistics", "genetics", "robotics", "logistics", "aerobics", "ceramics",
    "dynamics", "hydraulics", "phonetics", "semantics", "tactics", "has", "was", "does", "goes",
    "always", "perhaps", "whereas", "besides", "sometimes", "overseas", "afterwards", "towards",
    "upwards", "downwards", "forwards", "backwards", "indoors", "outdoors", "atlas", "bias",
    "canvas", "alias", "christmas", "chaos", "cosmos", "gas", "yes", "jeans", "pants", "trousers",
    "scissors", "clothes", "thanks", "means", "tweezers", "pliers", "binoculars", "corps",
    "headquarters", "crossroads", "barracks", "gallows", "billiards", "diabetes", "rabies",
    "measles", "james", "charles", "thomas", "nicholas", "lucas", "douglas", "agnes", "hercules",
    "achilles", "socrates", "aristoteles", "moses", "mars", "texas", "kansas", "arkansas", "dallas",
    "vegas", "athens", "brussels", "wales", "naples", "algiers", "honduras", "barbados", "bahamas",
    "andes", "alps", "netherlands", "philippines", "maldives", "mercedes", "adidas", "windows",
    "hermes", "dickens", "andrews", "rogers", "williams", "adams", "jones", "davies", "hughes",
    "evans", "roberts", "richards", "phillips", "stevens",
  ]
}
