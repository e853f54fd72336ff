import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// How many of the texts with a word are found in scripts without spaces: as before there were
/// pairs, with pairs of characters, and with a segmenter that knows the words.
struct UnspacedTextTests {
  /// Sentences, with their words divided by `|`.
  private static let texts: [(language: String, lines: [String])] = [
    (
      "Japanese",
      [
        "東京|の|冬|は|空|が|青い", "京都|の|古い|お寺|を|歩く", "大阪|で|たこ焼き|を|食べる",
        "新しい|カメラ|で|富士山|を|撮る", "図書館|で|日本語|の|本|を|読む",
        "雨|の|日|に|コーヒー|を|飲む", "電車|で|東京都|の|会社|に|行く",
        "冬|の|北海道|は|雪|が|多い", "子供|が|公園|で|遊ぶ", "台所|で|料理|を|作る",
        "古い|映画|を|映画館|で|見る", "料理人|が|魚|を|焼く", "会社員|は|毎日|電車|に|乗る",
        "日本|の|お茶|は|緑色|だ",
      ]
    ),
    (
      "Chinese",
      [
        "我们|在|北京|看|长城", "上海|的|夜景|非常|漂亮", "他|每天|早上|喝|咖啡",
        "图书馆|里|有|很多|旧书", "孩子们|在|公园|里|放|风筝", "妈妈|在|厨房|做|饺子",
        "火车|从|南京|开往|北京", "下雨|天|我|喜欢|看|电影", "老师|教|学生|写|汉字",
        "冬天|的|哈尔滨|很|冷", "医生|在|医院|工作", "大学生|在|大学|学习|汉语",
        "电影院|里|人|很多", "南京市|有|一座|长江|大桥",
      ]
    ),
    (
      "Korean",
      [
        "서울|의|겨울|은| |춥다", "부산|에서| |생선|을| |먹는다", "도서관|에서| |책|을| |읽는다",
        "아이|가| |공원|에서| |논다", "커피|를| |마시며| |음악|을| |듣는다",
        "새로운| |영화|를| |영화관|에서| |본다", "기차|를| |타고| |서울|로| |간다",
        "어머니|가| |부엌|에서| |김치|를| |만든다", "학생|이| |대학교|에서| |공부한다",
        "제주도|의| |바다|는| |푸르다", "비가| |오는| |날|에| |우산|을| |쓴다",
        "선생님|은| |한국어|를| |가르친다", "가을|에는| |단풍|이| |아름답다",
      ]
    ),
    (
      "Thai",
      [
        "กรุงเทพ|มี|วัด|มาก", "เด็ก|เล่น|ใน|สวนสาธารณะ", "แม่|ทำ|อาหาร|ใน|ครัว",
        "นักเรียน|อ่าน|หนังสือ|ใน|ห้องสมุด", "เขา|ดื่ม|กาแฟ|ทุก|เช้า",
        "รถไฟ|ไป|เชียงใหม่|ตอน|เย็น", "ทะเล|ที่|ภูเก็ต|สวย", "ฝน|ตก|หนัก|ใน|เมือง",
        "ครู|สอน|ภาษาไทย|ให้|นักเรียน", "ตลาด|ขาย|ผลไม้|และ|ปลา",
        "หมอ|ทำงาน|ใน|โรงพยาบาล", "เรา|ดู|หนัง|ใน|โรงหนัง", "อากาศ|หนาว|ใน|ฤดูหนาว",
      ]
    ),
  ]

  /// A query, and the numbers of the texts that have its words.
  private struct Query {
    let text: String
    let relevant: Set<String>
  }

  /// Words of at least two characters, and neighbors written as one, 50 for each language.
  private static func queries(_ lines: [[String]]) -> [Query] {
    var queries: [Query] = []
    var seen: Set<String> = []
    func add(_ words: [String]) {
      let text = words.joined()
      guard queries.count < 50, text.unicodeScalars.count > 1, !text.contains(" "),
        seen.insert(text).inserted
      else { return }
      let numbers = lines.indices.filter { number in
        lines[number].indices.contains { lines[number][$0...].starts(with: words) }
      }
      queries.append(Query(text: text, relevant: Set(numbers.map(String.init))))
    }
    for line in lines { for word in line.prefix(4) { add([word]) } }
    for line in lines {
      for start in line.indices.dropLast() { add(Array(line[start...start + 1])) }
    }
    return queries
  }

  /// Finds each ideograph and each Hiragana character, and other runs as a whole.
  private struct Characters: WordSegmenter {
    private static func isAlone(_ character: Character) -> Bool {
      character.unicodeScalars.contains {
        $0.properties.isIdeographic || (0x3041...0x309F).contains($0.value)
      }
    }

    func words(in text: String, language: Language?) -> [Range<String.Index>] {
      var ranges: [Range<String.Index>] = []
      var start = text.startIndex
      while start < text.endIndex {
        let rest = text[start...]
        let end =
          Self.isAlone(rest[start])
          ? text.index(after: start) : rest.firstIndex(where: Self.isAlone) ?? text.endIndex
        ranges.append(start..<end)
        start = end
      }
      return ranges
    }
  }

  /// Finds the known words, and each other character.
  private struct KnownWords: WordSegmenter {
    let known: Set<String>

    func words(in text: String, language: Language?) -> [Range<String.Index>] {
      var ranges: [Range<String.Index>] = []
      var start = text.startIndex
      while start < text.endIndex {
        let ends = text.indices[start...].dropFirst() + [text.endIndex]
        let end = ends.last { known.contains(String(text[start..<$0])) } ?? text.index(after: start)
        ranges.append(start..<end)
        start = end
      }
      return ranges
    }
  }

  /// Returns the means of recall and precision over the queries.
  private static func means(
    _ queries: [Query], in lines: [[String]], _ segmenter: (any WordSegmenter)?
  ) async throws -> (recall: Double, precision: Double) {
    let engine = try await LocalSearch(
      indexName: "texts",
      records: lines.enumerated().map { number, words in
        ["objectID": .string("\(number)"), "text": .string(words.joined())] as JSON
      }, configuration: .init(segmenter: segmenter))
    var (recall, precision) = (0.0, 0.0)
    for query in queries {
      let answer = try await engine.send(
        TransportRequest(
          .search(index: "texts"),
          body: Array(
            (["query": .string(query.text)] as JSON).text.utf8)))
      let hits = try JSON(parsing: answer.body)["hits"]?.arrayValue ?? []
      let found = Set(hits.map(\.id))
      let common = Double(found.intersection(query.relevant).count)
      recall += common / Double(query.relevant.count)
      precision += found.isEmpty ? 0 : common / Double(found.count)
    }
    return (recall / Double(queries.count), precision / Double(queries.count))
  }

  @Test func pairsFindWords() async throws {
    for (language, texts) in Self.texts {
      let lines = texts.map { $0.split(separator: "|").map(String.init) }
      let queries = Self.queries(lines)
      expectEqual(queries.count, 50)
      let before = try await Self.means(queries, in: lines, Characters())
      let pairs = try await Self.means(queries, in: lines, nil)
      let words = try await Self.means(
        queries, in: lines, KnownWords(known: Set(lines.joined())))
      print(language, "before", before, "pairs", pairs, "words", words)
      #expect(pairs.recall >= max(0.99, before.recall))
      #expect(pairs.precision >= 0.9 && words.precision >= 0.95)
    }
  }
}
