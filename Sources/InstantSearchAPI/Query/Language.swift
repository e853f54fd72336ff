package import InstantSearchJSON

/// A language, named by its ISO code such as `en` or `pt-br`.
///
/// Write a language without a constant as a string literal.
public struct Language: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The code, in lower case.
  public var rawValue: String

  /// Creates the language with a code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the language with a code.
  public init(stringLiteral value: String) { rawValue = value }
}

extension Language: OpenStringValue, JSONNodeDecodable, JSONWritable {}

extension Language {
  /// Afrikaans, `af`.
  public static let afrikaans = Language(rawValue: "af")
  /// Albanian, `sq`.
  public static let albanian = Language(rawValue: "sq")
  /// Arabic, `ar`.
  public static let arabic = Language(rawValue: "ar")
  /// Armenian, `hy`.
  public static let armenian = Language(rawValue: "hy")
  /// Azerbaijani, `az`.
  public static let azerbaijani = Language(rawValue: "az")
  /// Basque, `eu`.
  public static let basque = Language(rawValue: "eu")
  /// Bengali, `bn`.
  public static let bengali = Language(rawValue: "bn")
  /// Brazilian Portuguese, `pt-br`.
  public static let brazilianPortuguese = Language(rawValue: "pt-br")
  /// Bulgarian, `bg`.
  public static let bulgarian = Language(rawValue: "bg")
  /// Catalan, `ca`.
  public static let catalan = Language(rawValue: "ca")
  /// Chinese, `zh`.
  public static let chinese = Language(rawValue: "zh")
  /// Czech, `cs`.
  public static let czech = Language(rawValue: "cs")
  /// Danish, `da`.
  public static let danish = Language(rawValue: "da")
  /// Dutch, `nl`.
  public static let dutch = Language(rawValue: "nl")
  /// English, `en`.
  public static let english = Language(rawValue: "en")
  /// Esperanto, `eo`.
  public static let esperanto = Language(rawValue: "eo")
  /// Estonian, `et`.
  public static let estonian = Language(rawValue: "et")
  /// Faroese, `fo`.
  public static let faroese = Language(rawValue: "fo")
  /// Finnish, `fi`.
  public static let finnish = Language(rawValue: "fi")
  /// French, `fr`.
  public static let french = Language(rawValue: "fr")
  /// Galician, `gl`.
  public static let galician = Language(rawValue: "gl")
  /// Georgian, `ka`.
  public static let georgian = Language(rawValue: "ka")
  /// German, `de`.
  public static let german = Language(rawValue: "de")
  /// Greek, `el`.
  public static let greek = Language(rawValue: "el")
  /// Hebrew, `he`.
  public static let hebrew = Language(rawValue: "he")
  /// Hindi, `hi`.
  public static let hindi = Language(rawValue: "hi")
  /// Hungarian, `hu`.
  public static let hungarian = Language(rawValue: "hu")
  /// Icelandic, `is`.
  public static let icelandic = Language(rawValue: "is")
  /// Indonesian, `id`.
  public static let indonesian = Language(rawValue: "id")
  /// Irish, `ga`.
  public static let irish = Language(rawValue: "ga")
  /// Italian, `it`.
  public static let italian = Language(rawValue: "it")
  /// Japanese, `ja`.
  public static let japanese = Language(rawValue: "ja")
  /// Kazakh, `kk`.
  public static let kazakh = Language(rawValue: "kk")
  /// Korean, `ko`.
  public static let korean = Language(rawValue: "ko")
  /// Kurdish, `ku`.
  public static let kurdish = Language(rawValue: "ku")
  /// Kyrgyz, `ky`.
  public static let kyrgyz = Language(rawValue: "ky")
  /// Latvian, `lv`.
  public static let latvian = Language(rawValue: "lv")
  /// Lithuanian, `lt`.
  public static let lithuanian = Language(rawValue: "lt")
  /// Malay, `ms`.
  public static let malay = Language(rawValue: "ms")
  /// Maltese, `mt`.
  public static let maltese = Language(rawValue: "mt")
  /// Maori, `mi`.
  public static let maori = Language(rawValue: "mi")
  /// Marathi, `mr`.
  public static let marathi = Language(rawValue: "mr")
  /// Mongolian, `mn`.
  public static let mongolian = Language(rawValue: "mn")
  /// Northern Sotho, `ns`.
  public static let northernSotho = Language(rawValue: "ns")
  /// Norwegian, `no`.
  public static let norwegian = Language(rawValue: "no")
  /// Norwegian Bokmål, `nb`.
  public static let norwegianBokmal = Language(rawValue: "nb")
  /// Pashto, `ps`.
  public static let pashto = Language(rawValue: "ps")
  /// Persian, `fa`.
  public static let persian = Language(rawValue: "fa")
  /// Polish, `pl`.
  public static let polish = Language(rawValue: "pl")
  /// Portuguese, `pt`.
  public static let portuguese = Language(rawValue: "pt")
  /// Quechua, `qu`.
  public static let quechua = Language(rawValue: "qu")
  /// Romanian, `ro`.
  public static let romanian = Language(rawValue: "ro")
  /// Russian, `ru`.
  public static let russian = Language(rawValue: "ru")
  /// Slovak, `sk`.
  public static let slovak = Language(rawValue: "sk")
  /// Spanish, `es`.
  public static let spanish = Language(rawValue: "es")
  /// Swahili, `sw`.
  public static let swahili = Language(rawValue: "sw")
  /// Swedish, `sv`.
  public static let swedish = Language(rawValue: "sv")
  /// Tagalog, `tl`.
  public static let tagalog = Language(rawValue: "tl")
  /// Tamil, `ta`.
  public static let tamil = Language(rawValue: "ta")
  /// Tatar, `tt`.
  public static let tatar = Language(rawValue: "tt")
  /// Telugu, `te`.
  public static let telugu = Language(rawValue: "te")
  /// Thai, `th`.
  public static let thai = Language(rawValue: "th")
  /// Tswana, `tn`.
  public static let tswana = Language(rawValue: "tn")
  /// Turkish, `tr`.
  public static let turkish = Language(rawValue: "tr")
  /// Ukrainian, `uk`.
  public static let ukrainian = Language(rawValue: "uk")
  /// Urdu, `ur`.
  public static let urdu = Language(rawValue: "ur")
  /// Uzbek, `uz`.
  public static let uzbek = Language(rawValue: "uz")
  /// Welsh, `cy`.
  public static let welsh = Language(rawValue: "cy")
}

/// A parameter that is a Boolean, or enabled for a list of languages.
package protocol BoolOrLanguages: SearchParameterType {
  /// Enabled for the languages of `queryLanguages`, or disabled.
  static func enabled(_ value: Bool) -> Self
  /// Enabled for the given languages.
  static func languages(_ languages: [Language]) -> Self
  /// The value as one of the two cases.
  var boolOrLanguages: BoolOrLanguagesValue { get }
}

/// The two cases of ``BoolOrLanguages``.
package enum BoolOrLanguagesValue: Sendable {
  case isOn(Bool)
  case languages([Language])
}

extension BoolOrLanguages {
  package static var expectation: String { "boolean or array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else if let languages = Language.list(node) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(node)
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: urlText) {
      self = .enabled(value)
    } else if let languages = try? [Language](urlText: urlText) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(try JSONNode(text: urlText))
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch boolOrLanguages {
    case .isOn(let value): writer.bool(value)
    case .languages(let languages): languages.writeParameter(to: &writer)
    }
  }
}

/// Whether singular, plural and other inflected forms of a word are equal.
///
/// ```swift
/// query.ignorePlurals = true
/// query.ignorePlurals = [.english, .french]
/// ```
public enum IgnorePlurals: Sendable, Hashable, Codable {
  /// Enabled for the languages of `queryLanguages`, or disabled.
  case enabled(Bool)
  /// Enabled for the given languages.
  case languages([Language])

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension IgnorePlurals: ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  /// Enabled for `queryLanguages`, or disabled.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// Enabled for the given languages.
  public init(arrayLiteral elements: Language...) { self = .languages(elements) }
}

extension IgnorePlurals: BoolOrLanguages, SearchParameterType, JSONNodeDecodable, JSONWritable {
  package var boolOrLanguages: BoolOrLanguagesValue {
    switch self {
    case .enabled(let value): .isOn(value)
    case .languages(let languages): .languages(languages)
    }
  }
}

/// Whether words without meaning for the search, such as "the", are removed from a query.
///
/// ```swift
/// query.removeStopWords = true
/// query.removeStopWords = [.english, .french]
/// ```
public enum RemoveStopWords: Sendable, Hashable, Codable {
  /// Enabled for the languages of `queryLanguages`, or disabled.
  case enabled(Bool)
  /// Enabled for the given languages.
  case languages([Language])

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension RemoveStopWords: ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  /// Enabled for `queryLanguages`, or disabled.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// Enabled for the given languages.
  public init(arrayLiteral elements: Language...) { self = .languages(elements) }
}

extension RemoveStopWords: BoolOrLanguages, SearchParameterType, JSONNodeDecodable, JSONWritable {
  package var boolOrLanguages: BoolOrLanguagesValue {
    switch self {
    case .enabled(let value): .isOn(value)
    case .languages(let languages): .languages(languages)
    }
  }
}
