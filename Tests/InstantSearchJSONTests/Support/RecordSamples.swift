import JSONProperties

/// Texts that the record types of the probes decode, for later changes.
enum RecordSamples {
  static let texts = [
    #"""
    {"name":"Zoë","id":-7,"count":255,"signed":-9223372036854775808,"large":18446744073709551615,
    "huge":170141183460469231731687303715884105727,"flag":true,"ratio":0.1,"price":899.99,
    "cost":12.345,"link":"https://example.com/a?b=c","date":1700000000,"blob":"AAEC",
    "unique":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","level":"full","tags":["a","b\n",""],
    "numbers":[1,null,3],"matrix":[[1,2.5],[]],"place":{"lat":47.25,"lng":8.5},
    "figure":{"circle":{"radius":1.5}},"range":[2,5],
    "children":[{"name":"inner","figure":{"line":{"_0":1,"_1":-2}},"level":"none"},{},
    {"figure":{"nested":{"inner":["full","none"],"note":null}},"children":[{"figure":{"point":{}}}]}]}
    """#,
    #"[{"name":"a","date":"2024-02-29T23:59:59Z","price":"inf","ratio":"nan"},{"id":1}]"#,
    #"""
    {"names":{"a":1,"b":2},"nested":{"x":{"y":1.5},"z":{}},"numbered":{"1":"a","-5":"b"},
    "pairs":["full",1,"none",2],"levels":{"full":[true],"none":[]},"ids":[3,4,3]}
    """#,
    #"""
    {"abcdefghijklmnopqrstuvwxy":1,"abcdefghijklmnopqrstuvwy":2,"abcdefghijklmnopqrstuvwx":3,
    "abcdefghijklmnopq":4,"abcdefghijklmnoq":5,"abcdefghijklmnop":6,"abcdefghi":7,"abcdefgi":8,
    "abcdefgh":9,"abcdefg":10,"xbcdefghijklmnopqrstuvwx":11}
    """#,
    #"{"c":{"line":{"_0":1}},"x":0,"b":["p","q"],"a":1}"#,
    #"{"name":"Rex","legs":3,"breed":"pug"}"#,
    #"{"fins":[1,2],"super":{"name":"Nemo","legs":0}}"#,
    #"{"base":{"name":"Tom","legs":null},"lives":7.5}"#,
    #"[1,null,"text",[1.5,2],{"member":3,"x":[]},{"name":"last","legs":2}]"#,
    #"{"value":1,"next":{"value":2,"next":{"value":3,"next":null}}}"#,
    #"""
    {"first_name":"A","home_towns":{"new_york":{"zip_code":1},"b":{}},
    "towns_by_number":{"1":{"zip_code":2}},"_private_note":"n","last_seen":1.5}
    """#,
    #"[{"point":{}},{"line":{"_0":1,"_1":null}},{"nested":{"inner":[],"note":"n"}}]"#,
    #"{"line":{"_0":1,"_1":2}}"#, #""full""#, "-1", "null", #"[1,[],{},"a",true,0.5,null]"#,
    #"[[1,2],[2.5],[]]"#, #"{"a":{"x":true},"b":{}}"#,
  ]

  /// The texts as values.
  static func values() throws -> [ReferenceValue] {
    try texts.map { try ReferenceReader.read(Array($0.utf8)) }
  }
}
