import Testing

/// A text, whether it is accepted, and as which value.
struct GrammarCase: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable {
    /// Accepted as the value of a plain JSON text.
    case value(String)
    /// Rejected, with the first wrong byte.
    case refused(at: Int)
  }

  var name: String
  var bytes: [UInt8]
  var expectation: Expectation
  var testDescription: String { name }

  /// A text that is accepted.
  static func yes(_ name: String, _ text: String, as value: String? = nil) -> GrammarCase {
    GrammarCase(name: name, bytes: Array(text.utf8), expectation: .value(value ?? text))
  }

  /// A text that is rejected.
  static func no(_ name: String, _ text: String, at offset: Int) -> GrammarCase {
    GrammarCase(name: name, bytes: Array(text.utf8), expectation: .refused(at: offset))
  }

  /// Bytes inside a string that is rejected.
  static func no(_ name: String, bytes: [UInt8], at offset: Int) -> GrammarCase {
    GrammarCase(name: name, bytes: [0x22] + bytes + [0x22], expectation: .refused(at: offset + 1))
  }

  /// Bytes inside a string that is accepted unchanged.
  static func yes(_ name: String, bytes: [UInt8]) -> GrammarCase {
    GrammarCase(
      name: name, bytes: [0x22] + bytes + [0x22],
      expectation: .value("\"\(String(decoding: bytes, as: UTF8.self))\""))
  }
}

/// The corners of RFC 8259, one text each.
enum GrammarCases {
  static let all = structure + literals + numbers + strings + encoding

  private static let structure: [GrammarCase] = [
    .no("nothing", "", at: 0),
    .no("white space only", " \n\r\t", at: 4),
    .yes("white space around everything", "\t\r\n [ \n1\t, \r\n2 ] \n", as: "[1,2]"),
    .yes(
      "white space around members", " { \"a\" \t: \n1 , \"b\"\r: [ ] } ", as: "{\"a\":1,\"b\":[]}"),
    .yes("empty array", "[]"), .yes("empty object", "{}"),
    .yes("white space in empty containers", "[ ]", as: "[]"),
    .yes("white space in an empty object", "{\n}", as: "{}"),
    .yes("nothing but containers", "[[],{},[[{}]],{\"\":[]}]"),
    .yes("null alone", "null"), .yes("true alone", "true"), .yes("false alone", "false"),
    .yes("string alone", "\"a\""), .yes("number alone", "7"), .yes("empty key", "{\"\":0}"),
    .yes("array in object in array", "[{\"a\":[{\"b\":[null]}]}]"),
    .yes("equal keys", "{\"a\":1,\"a\":2}", as: "{\"a\":2}"),
    .yes("equal keys, one escaped", #"{"a":1,"\u0061":2}"#, as: "{\"a\":2}"),
    .yes("equal keys around another", #"{"a":1,"b":0,"a":2}"#, as: "{\"b\":0,\"a\":2}"),
    .yes("keys that differ in normalisation only", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    .no("form feed as white space", "\u{C}1", at: 0),
    .no("vertical tab as white space", "[\u{B}1]", at: 1),
    .no("no-break space", "[1,\u{A0}2]", at: 3),
    .no("line separator as white space", "1\u{2028}", at: 1),
    .no("ideographic space", "\u{3000}1", at: 0),
    .no("byte order mark", "\u{FEFF}1", at: 0),
    .no("byte order mark alone", "\u{FEFF}", at: 0),
    .no("byte order mark at the end", "1\u{FEFF}", at: 1),
    .no("byte order mark inside", "[\u{FEFF}1]", at: 1),
    .no("two byte order marks", "\u{FEFF}\u{FEFF}1", at: 0),
    .no("zero byte at the end", "1\0", at: 1),
    .no("zero byte in front", "\u{0}1", at: 0),
    .no("zero byte alone", "\0", at: 0),
    .no("zero byte after a container", "[]\0", at: 2),
    .no("delete character", "\u{7F}", at: 0),
    .no("open array", "[", at: 1), .no("open object", "{", at: 1),
    .no("open array after a value", "[1", at: 2),
    .no("open array after a comma", "[1,", at: 3),
    .no("open object after a key", "{\"a\"", at: 4),
    .no("open object after a colon", "{\"a\":", at: 5),
    .no("open object after a value", "{\"a\":1", at: 6),
    .no("open object after a comma", "{\"a\":1,", at: 7),
    .no("closing bracket alone", "]", at: 0), .no("closing brace alone", "}", at: 0),
    .no("comma alone", ",", at: 0), .no("colon alone", ":", at: 0),
    .no("trailing comma in an array", "[1,]", at: 3),
    .no("trailing comma in an object", "{\"a\":1,}", at: 7),
    .no("trailing comma and space", "[1 , ]", at: 5),
    .no("comma in an empty array", "[,]", at: 1), .no("comma in an empty object", "{,}", at: 1),
    .no("comma in front", "[,1]", at: 1), .no("comma in front of a member", "{,\"a\":1}", at: 1),
    .no("two commas", "[1,,2]", at: 3), .no("two commas in an object", "{\"a\":1,,\"b\":2}", at: 7),
    .no("comma after the value", "1,", at: 1), .no("comma after the container", "[],", at: 2),
    .no("no comma", "[1 2]", at: 3), .no("no comma between strings", "[\"a\"\"b\"]", at: 4),
    .no("no comma between containers", "[[][]]", at: 3),
    .no("no comma between members", "{\"a\":1\"b\":2}", at: 6),
    .no("semicolon for a comma", "[1;2]", at: 2),
    .no("colon in an array", "[1:2]", at: 2),
    .no("colon after a key in an array", "[\"a\":1]", at: 4),
    .no("colon first", "[:]", at: 1), .no("comma for a colon", "{\"a\",1}", at: 4),
    .no("two colons", "{\"a\"::1}", at: 5), .no("no colon", "{\"a\" 1}", at: 5),
    .no("equals sign for a colon", "{\"a\"=1}", at: 4),
    .no("no value", "{\"a\":}", at: 5), .no("no value before a comma", "{\"a\":,\"b\":1}", at: 5),
    .no("no key", "{:1}", at: 1), .no("key without quotes", "{a:1}", at: 1),
    .no("number as key", "{1:1}", at: 1), .no("null as key", "{null:1}", at: 1),
    .no("array as key", "{[]:1}", at: 1), .no("object as key", "{{}:1}", at: 1),
    .no("key in single quotes", "{'a':1}", at: 1),
    .no("value in single quotes", "['a']", at: 1),
    .no("brace closes array", "[1}", at: 2), .no("bracket closes object", "{\"a\":1]", at: 6),
    .no("brace closes empty array", "[}", at: 1), .no("bracket closes empty object", "{]", at: 1),
    .no("bracket after a key", "{\"a\"]", at: 4), .no("crossed brackets", "[{]}", at: 2),
    .no("one bracket too many", "[1]]", at: 3), .no("one brace too many", "{}}", at: 2),
    .no("two values", "1 2", at: 2), .no("two arrays", "[][]", at: 2),
    .no("two objects on two lines", "{}\n{}", at: 3), .no("two literals", "truefalse", at: 4),
    .no("value after a string", "\"a\"1", at: 3), .no("letter after a container", "[]x", at: 2),
    .no("line comment", "1//", at: 1), .no("comment behind", "1 // c", at: 2),
    .no("block comment", "[/**/]", at: 1),
    .no("comment in front", "#1", at: 0), .no("record separator", "\u{1E}1", at: 0),
    .no("dots", "[1,...]", at: 3), .no("parentheses", "(1)", at: 0), .no("markup", "<a>", at: 0),
    .no("escape outside a string", "\\u0031", at: 0),
    .no("escaped quote outside", "[\\\"a\"]", at: 1),
    .no("fullwidth digit", "\u{FF11}", at: 0), .no("accented letter", "é", at: 0),
  ]

  private static let literals: [GrammarCase] = [
    .no("misspelt null", "nul", at: 3), .no("null too long", "nulll", at: 4),
    .no("capital null", "Null", at: 0), .no("null with a capital inside", "nUll", at: 1),
    .no("misspelt true", "tru", at: 3), .no("true too long", "truex", at: 4),
    .no("capital true", "TRUE", at: 0), .no("true ends wrongly", "trux", at: 3),
    .no("misspelt false", "fals", at: 4), .no("false ends wrongly", "[falsy]", at: 5),
    .no("capital false", "False", at: 0), .no("broken by a space", "[tr ue]", at: 3),
    .no("literal at the end of an array", "[nul]", at: 4),
    .no("one letter", "t", at: 1), .no("one letter n", "[n]", at: 2),
    .no("one letter f", "f", at: 1),
    .no("not a number", "NaN", at: 0), .no("nan", "nan", at: 1), .no("infinity", "Infinity", at: 0),
    .no("negative infinity", "-Infinity", at: 1), .no("inf", "inf", at: 0),
    .no("undefined", "undefined", at: 0), .no("none", "None", at: 0), .no("yes", "yes", at: 0),
    .no("literals without a comma", "[truefalse]", at: 5), .no("quoted badly", "\"a", at: 2),
    .yes("all in an array", "[null,true,false]"),
    .yes("literals beside brackets", "[[null],[true],{\"a\":false}]"),
  ]

  private static let numbers: [GrammarCase] = [
    .yes("zero", "0"), .yes("negative zero", "-0"), .yes("negative zero with fraction", "-0.0"),
    .yes("negative zero with exponent", "-0e1"),
    .yes("zero with fraction", "0.0"), .yes("zero with exponent", "0e0"),
    .yes("zero with a huge exponent", "0e999999999999999999999", as: "0"),
    .yes("capital exponent", "1E5", as: "1e5"), .yes("plus in the exponent", "1e+5", as: "1e5"),
    .yes("minus in the exponent", "1E-5", as: "0.00001"),
    .yes("zeros in front of the exponent", "1e0005", as: "1e5"),
    .yes("exponent zero", "1e-0", as: "1"), .yes("exponent of many zeros", "1e00", as: "1"),
    .yes("fraction with zeros", "1.000", as: "1.0"), .yes("zeros after the point", "0.0001"),
    .yes("beyond the largest double", "1E400"), .yes("below the smallest double", "1e-400"),
    .yes("far beyond", "-1e99999999999999999999"), .yes("far below", "1e-99999999999999999999"),
    .yes("fraction and exponent", "12.5e-1", as: "1.25"),
    .yes("thirty digits", "123456789012345678901234567890"),
    .yes("at the end of an array", "[1,-2,3.5]"), .yes("between spaces", "[ 1 ]", as: "[1]"),
    .no("leading zero", "01", at: 1), .no("two zeros", "00", at: 1),
    .no("negative leading zero", "-01", at: 2), .no("leading zero before a point", "00.5", at: 1),
    .no("leading zero in an array", "[012]", at: 2), .no("minus alone", "-", at: 1),
    .no("two minus signs", "--1", at: 1), .no("minus and letter", "-a", at: 1),
    .no("minus and space", "- 1", at: 1), .no("minus in an array", "[-]", at: 2),
    .no("plus", "+1", at: 0), .no("plus and minus", "+-1", at: 0),
    .no("no digit before the point", ".5", at: 0), .no("minus and point", "-.5", at: 1),
    .no("no digit after the point", "1.", at: 2),
    .no("no digit after the point, in an array", "[1.]", at: 3),
    .no("exponent after the point", "1.e1", at: 2), .no("two points", "1.2.3", at: 3),
    .no("two points in a row", "1..2", at: 2), .no("point of a comma", "1,5", at: 1),
    .no("no exponent", "1e", at: 2), .no("no exponent in an array", "[1e]", at: 3),
    .no("sign without exponent", "1e+", at: 3), .no("two signs", "1e+-1", at: 3),
    .no("point in the exponent", "1e1.5", at: 3), .no("two exponents", "1e5e5", at: 3),
    .no("exponent alone", "e5", at: 0), .no("space in the exponent", "1 e5", at: 2),
    .no("space after the point", "1. 5", at: 2), .no("hexadecimal", "0x1F", at: 1),
    .no("hexadecimal digits", "1F", at: 1), .no("octal", "0o7", at: 1),
    .no("underscore", "1_000", at: 1),
    .no("thousands", "[1'000]", at: 2), .no("letter behind", "1a", at: 1),
    .no("suffix", "1.0f", at: 3), .no("sign behind", "1-", at: 1),
    .no("sign between", "1-2", at: 1),
    .no("minus sign of typography", "\u{2212}1", at: 0), .no("fraction sign", "½", at: 0),
    .no("point at the end of the exponent", "[1e1.]", at: 4), .no("quote behind", "1\"", at: 1),
  ]

  private static let strings: [GrammarCase] = [
    .yes("empty", "\"\""), .yes("delete character", "\"\u{7F}\""), .yes("slash", "\"/\""),
    .yes(
      "every short escape", #""\"\\\/\b\f\n\r\t""#,
      as: #""\u0022\u005c/\u0008\u000C\u000A\u000d\u0009""#),
    .yes("escape of a letter", #""\u0061\u0041""#, as: "\"aA\""),
    .yes("escaped zero", #""\u0000""#), .yes("escaped control character", #""\u001F""#),
    .yes("digits of both cases", #""\uaBcD\uAbCd""#, as: "\"\u{ABCD}\u{ABCD}\""),
    .yes("escaped backslash before u", #""\\u0041""#),
    .yes("escaped backslash before a quote", #""\\""#), .yes("many backslashes", #""\\\\\\\\""#),
    .yes("escaped quotes around", #""\"a\"""#),
    .yes("digits after an escape", #""\u00410""#, as: "\"A0\""),
    .yes("pair", #""\uD83D\uDE00""#, as: "\"😀\""),
    .yes("first pair", #""\ud800\udc00""#, as: "\"\u{10000}\""),
    .yes("last pair", #""\udbff\udfff""#, as: "\"\u{10FFFF}\""),
    .yes("two pairs", #""\ud83d\ude00\ud83d\ude01""#, as: "\"😀😁\""),
    .yes("escaped noncharacters", #""\uFFFE\uFFFF\uFDD0""#),
    .yes("lone high", #""\ud800""#, as: "\"\u{FFFD}\""),
    .yes("lone low", #""\udfff""#, as: "\"\u{FFFD}\""),
    .yes("reversed pair", #""\udc00\ud800""#, as: "\"\u{FFFD}\u{FFFD}\""),
    .yes("two highs", #""\ud800\ud800""#, as: "\"\u{FFFD}\u{FFFD}\""),
    .yes("pair with a letter between", #""\ud83dx\ude00""#, as: "\"\u{FFFD}x\u{FFFD}\""),
    .yes("two highs and a low", #""\ud800\ud83d\ude00""#, as: "\"\u{FFFD}😀\""),
    .yes("high and two lows", #""\ud83d\ude00\ude00""#, as: "\"😀\u{FFFD}\""),
    .yes("high before a letter", #""\ud800a""#, as: "\"\u{FFFD}a\""),
    .yes("high before an escaped letter", #""\ud800\u0061""#, as: "\"\u{FFFD}a\""),
    .yes("high before a short escape", #""\ud800\n""#, as: "\"\u{FFFD}\\u000a\""),
    .yes("high before a backslash and a low", #""\ud800\\udc00""#, as: "\"\u{FFFD}\\\\udc00\""),
    .yes("high before a raw character", "\"\\ud83d😀\"", as: "\"\u{FFFD}😀\""),
    .yes("low behind a raw character", "\"😀\\ude00\"", as: "\"😀\u{FFFD}\""),
    .yes("private use and others", "\"\u{E000}\u{D7FF}\u{10FFFF}\u{FFFF}\u{FEFF}\""),
    .yes("separators of lines", "\"\u{2028}\u{2029}\u{85}\""),
    .yes("other writing directions", "\"\u{202E}א\u{200F}\""), .yes("joined people", "\"👩‍👩‍👧\""),
    .yes("eight plain bytes", "\"abcdefgh\""),
    .yes("seven and an escape", #""abcdefg\n""#, as: #""abcdefg\u000a""#),
    .yes("brackets inside", "\"[{,:}]\""),
    .yes("lone surrogate in a key", #"{"\ud800":1}"#, as: "{\"\u{FFFD}\":1}"),
    .no("open", "\"abc", at: 4), .no("open after an escape", #""\n"#, at: 3),
    .no("open after a backslash", "\"\\", at: 2), .no("quote escaped away", #""\""#, at: 3),
    .no("quote escaped away after backslashes", #""\\\""#, at: 5), .no("one quote", "\"", at: 1),
    .no("unknown escape", #""\x41""#, at: 2), .no("escape of a digit", #""\0""#, at: 2),
    .no("capital escape", #""\N""#, at: 2), .no("capital u", #""\U0041""#, at: 2),
    .no("escape of a single quote", #""\'""#, at: 2), .no("escape of a space", #""\ ""#, at: 2),
    .no("escape of a line break", "\"\\\n\"", at: 2),
    .no("escape of a raw character", "\"\\é\"", at: 2),
    .no("vertical tab escape", #""\v""#, at: 2), .no("bell escape", #""\a""#, at: 2),
    .no("three digits", #""\u004""#, at: 6), .no("no digits", #""\u""#, at: 3),
    .no("open after u", #""\u"#, at: 3), .no("open after half a pair", #""\ud800"#, at: 7),
    .no("open digits", #""\u00"#, at: 5), .no("letter for a digit", #""\u00g0""#, at: 5),
    .no("sign for a digit", #""\u+041""#, at: 3), .no("space for a digit", #""\u 041""#, at: 3),
    .no("braces", #""\u{41}""#, at: 3), .no("fullwidth digit", "\"\\u004\u{FF11}\"", at: 6),
    .no("second half cut short", #""\ud83d\ud""#, at: 10),
    .no("second half not hexadecimal", #""\ud83d\uzzzz""#, at: 9),
    .no("second half without u", #""\ud83d\x""#, at: 8),
    .no("raw line feed", "\"a\nb\"", at: 2), .no("raw tab", "\"\t\"", at: 1),
    .no("raw return", "\"\r\"", at: 1), .no("raw zero", "\"\0\"", at: 1),
    .no("raw control character", "\"\u{1F}\"", at: 1),
    .no("raw line feed in a key", "{\"a\n\":1}", at: 3),
    .no("raw control character after seven plain ones", "\"abcdefg\u{1}\"", at: 8),
    .no("raw control character after eight plain ones", "\"abcdefgh\u{1}\"", at: 9),
  ]

  private static let encoding: [GrammarCase] = [
    .yes("two bytes, first and last", bytes: [0xC2, 0x80, 0xDF, 0xBF]),
    .yes("three bytes, first and last", bytes: [0xE0, 0xA0, 0x80, 0xEF, 0xBF, 0xBF]),
    .yes("three bytes around the surrogates", bytes: [0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80]),
    .yes("four bytes, first and last", bytes: [0xF0, 0x90, 0x80, 0x80, 0xF4, 0x8F, 0xBF, 0xBF]),
    .yes("noncharacters", bytes: [0xEF, 0xB7, 0x90, 0xF0, 0x9F, 0xBF, 0xBE]),
    .no("continuation alone", bytes: [0x80], at: 0), .no("last continuation", bytes: [0xBF], at: 0),
    .no("continuation after a letter", bytes: [0x61, 0x80], at: 1),
    .no("one continuation too many", bytes: [0xC3, 0xA9, 0xA9], at: 2),
    .no("overlong zero", bytes: [0xC0, 0x80], at: 0),
    .no("overlong slash", bytes: [0xC0, 0xAF], at: 0),
    .no("overlong delete", bytes: [0xC1, 0xBF], at: 0),
    .no("overlong in three", bytes: [0xE0, 0x80, 0xAF], at: 1),
    .no("last overlong in three", bytes: [0xE0, 0x9F, 0xBF], at: 1),
    .no("overlong in four", bytes: [0xF0, 0x80, 0x80, 0xAF], at: 1),
    .no("last overlong in four", bytes: [0xF0, 0x8F, 0xBF, 0xBF], at: 1),
    .no("overlong in five", bytes: [0xF8, 0x80, 0x80, 0x80, 0xAF], at: 0),
    .no("overlong in six", bytes: [0xFC, 0x80, 0x80, 0x80, 0x80, 0xAF], at: 0),
    .no("high surrogate", bytes: [0xED, 0xA0, 0x80], at: 1),
    .no("low surrogate", bytes: [0xED, 0xBF, 0xBF], at: 1),
    .no("pair of surrogates", bytes: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], at: 1),
    .no("beyond the last character", bytes: [0xF4, 0x90, 0x80, 0x80], at: 1),
    .no("far beyond", bytes: [0xF5, 0x80, 0x80, 0x80], at: 0),
    .no("byte order mark of UTF-16", bytes: [0xFE, 0xFF], at: 0), .no("0xFF", bytes: [0xFF], at: 0),
    .no("two bytes cut short", bytes: [0xC3], at: 1),
    .no("three bytes cut short", bytes: [0xE2, 0x82], at: 2),
    .no("four bytes cut short", bytes: [0xF0, 0x9F, 0x98], at: 3),
    .no("four bytes cut shorter", bytes: [0xF0, 0x9F], at: 2),
    .no("letter inside a character", bytes: [0xE2, 0x61, 0xAC], at: 1),
    .no("character inside a character", bytes: [0xE2, 0xC3, 0xA9], at: 1),
    .no("Latin-1", bytes: [0x63, 0x61, 0x66, 0xE9], at: 4),
    .no("escape inside a character", bytes: [0xC3, 0x5C, 0x6E], at: 1),
    .no("wrong after seven plain ones", bytes: Array("abcdefg".utf8) + [0xC0], at: 7),
    .no("wrong after eight plain ones", bytes: Array("abcdefgh".utf8) + [0xFF], at: 8),
    GrammarCase(
      name: "invalid outside a string", bytes: [0x5B, 0xFF, 0x5D], expectation: .refused(at: 1)),
    GrammarCase(
      name: "character outside a string", bytes: [0xC3, 0xA9], expectation: .refused(at: 0)),
    GrammarCase(
      name: "invalid at the end of the bytes", bytes: [0x22, 0xF0, 0x9F, 0x98],
      expectation: .refused(at: 4)),
    GrammarCase(name: "UTF-16", bytes: [0x5B, 0x00, 0x5D, 0x00], expectation: .refused(at: 1)),
    GrammarCase(
      name: "UTF-16 with a mark", bytes: [0xFF, 0xFE, 0x31, 0x00], expectation: .refused(at: 0)),
    GrammarCase(name: "UTF-32", bytes: [0x00, 0x00, 0x00, 0x31], expectation: .refused(at: 0)),
  ]
}
