/// Reads single tokens of a text: what stands at a position, and where it ends.
///
/// It has no state, so that a parser's loop can keep it in registers.
struct JSONScanner {
  let text: PaddedText
  let limits: JSONParser.Limits
}
