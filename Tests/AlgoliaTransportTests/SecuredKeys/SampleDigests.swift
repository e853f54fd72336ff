/// Digests by an independent implementation for messages of many lengths; see `message` and `key`.
let sampleDigests: [SampleDigest] = [
  SampleDigest(
    length: 0,
    hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  SampleDigest(
    length: 1,
    hash: "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
    code: "50c1d01ac1e05b489ce5d164f08c87cbedce05a7cf0ca993516a4a254058b300"),
  SampleDigest(
    length: 38,
    hash: "cab6aef04eabc84f64fb4416f1f9304d501793cba2b93b68d21d8acb48920985",
    code: "4c6b762ae4181c1508f974e338875254bc1a3366626cf58dc19f126150180739"),
  SampleDigest(
    length: 49,
    hash: "0780d2998fcbe73e627e880d3611eeb2d3205ebd74303ac572f1493e691073ab",
    code: "aa15f4b4d1753a1238b3fe7122bf1e77dba00b5c201f047d3b6f9eed2d148cfc"),
  SampleDigest(
    length: 55,
    hash: "1d0f542cc6affc01556e16943c39aa43f49ccdee6984ee51c762181f94d3326a",
    code: "003c1e590f70fcb385d1fc3d58400333797da992a45782e9b6e92be67b166131"),
  SampleDigest(
    length: 56,
    hash: "3992d889983ba6a38a095eadc2faea7fb6bb9375e78e6c41ae74b04ed7674ca3",
    code: "9f5c0b35462ba667254b3a669ffd66fdb94cbc7dd69c3603de5499bcf410727a"),
  SampleDigest(
    length: 57,
    hash: "3dcba9fd922c01fca918efc291880d489dfb56c574dcfa1f294542cf2d918e73",
    code: "507ff435e6c643d16b662b7d8cc2b52b3a503c17d7901b46498317fb4282aa45"),
  SampleDigest(
    length: 59,
    hash: "71c5586862852b543cf1ad69733f40468f37528c7d7874dba89a1b3342c93df5",
    code: "cc203fc0f09f1af1c0a7c4ee5dfdf21f9c19eb2f9614322d1ae58254e43fe4f0"),
  SampleDigest(
    length: 60,
    hash: "d0f07dbfab7d7f4206b1dc960ac1289f547977aa152bd6f9ea6241ca473e3f5e",
    code: "d30ee177d5e23ede2749a93826e4b42c328687df60413b52aa3dc01bb055ab0e"),
  SampleDigest(
    length: 63,
    hash: "0cf1c28bf128a4191e93bf30256c10d2f83eb7e8e835f3d93afd1826b2d6e723",
    code: "e2a28a688f558df2659cacbededafd81d6484cccdeb4c03a1be008ef1253a5ec"),
  SampleDigest(
    length: 64,
    hash: "6f28b2f6ac385b2536d585d46fd64132f7cfd95287c32334c403d5bc20e6a5f6",
    code: "312f1a32ac089f974b168615ae392b18f603fa7d4ef8392a28d6671d9e208dd9"),
  SampleDigest(
    length: 65,
    hash: "10080317083c81320dbf8eacbfa82e91df9259f75b4a294eeca76eeb50aea01f",
    code: "e58ddd25fb46e5d0fadbc0949032349c59f4875b906e8ae256d63cddf2d797b6"),
  SampleDigest(
    length: 71,
    hash: "dfa521af6cc200ab1bbe74ccef5131489a9bc4a5c0bded484b469d011e4d0dc5",
    code: "c1391fe9d505101d85d3312bac98b4b54625f2f40f7a5d5c9a360f4157547917"),
  SampleDigest(
    length: 74,
    hash: "a864458b735d1c19f400ff4ea07f841719b901ee3e7067137359a56b9e5966a5",
    code: "fe5c31c8aa93a78b09c1176f91ea6c8f1697a2e56f74007e950e63188406fed6"),
  SampleDigest(
    length: 88,
    hash: "29024f2058f0163eccbbb933e41c13376a28490420bb14fd972ec73b83da565a",
    code: "90d40ec975d9a503766e722bdf493ee439662bcf122717fbef538dc4a88ba5b6"),
  SampleDigest(
    length: 92,
    hash: "3c9304c01859508fa6105fa6be167b25e7e0e74467971b0de22500e1ad71cd6e",
    code: "74c3729472d9f6398544a7754d16ad379af9937124b362857734d3148544b58c"),
  SampleDigest(
    length: 96,
    hash: "a7f2298aba54897c5e1d5dab56fe8af9926f605b78667d631e0efb54a20bb352",
    code: "6b34b0018670baf7e4b468d4b780d537bf605905b8020af13b28f2aeb18d9426"),
  SampleDigest(
    length: 119,
    hash: "b572270bad52a2e7ad3a4c0fa27d0466a00475f69c98af2138c6ab87da3c582a",
    code: "fce88df17b1cdb5698e804c843f6f526de40ce870c255bc747b1aa2a35fbf14e"),
  SampleDigest(
    length: 120,
    hash: "814fcf373b324717bd16aecd2445214bfcc1f8d36d6982959404dd3cc21b32b6",
    code: "5ac830ced3470492c6543291ffd2e650a664a8c32664e3e6832162c66a7d4711"),
  SampleDigest(
    length: 127,
    hash: "bffca7a0375995945d5f35035a98fcf337bd86c92f0a9ab3ef7c78347c745ab1",
    code: "c241ab31d2e97b46696f5793d3636c6b0de775519c422ba38c523924a26284f1"),
  SampleDigest(
    length: 128,
    hash: "0a112e93b6b4b1126561e962bb1a5b14ba93b4eca2f706366e7dae70abcafd87",
    code: "0a35cac07bedd304d84e096b59e0b10e706272017e111c425bda1f3a933f69ed"),
  SampleDigest(
    length: 129,
    hash: "1f46fa475ccdd68aa6e93b4a2208471ce0a51c1515b79f38dc1022aea65d6b9a",
    code: "aa088eff56eaaf0239186bc964a7b2448a85133295493831475a735d07fd3354"),
  SampleDigest(
    length: 154,
    hash: "e4397ddec86608fa13ace62ce7c5392c85e47b5b7a8443d0d9d4286bda492373",
    code: "f77c88eae8333abb4ac24e325dac034f0bfcbaeea644a570af0bf8cc1c80bdcf"),
  SampleDigest(
    length: 219,
    hash: "a319224ab4672676ba14bc884a0ca703255db89d1d65b964c65b1e3d05cf9e4f",
    code: "034cbbe950d945e8624dcbafbc53e90d04ee5dba41365d375efd447a6fe8b8b6"),
  SampleDigest(
    length: 246,
    hash: "5b485ddff18fb044c05a080e7c7d2ede972aed35679504bd6799255ff4cc9380",
    code: "3fec61ba93457e01f559659264ec37a9a075e0c0d4593a33fb4ed0c1a1249ba4"),
  SampleDigest(
    length: 331,
    hash: "79231084bf00155796a1b3db8fb1f34bb026a070c2e8fc7414b16911082d5e5e",
    code: "c5314423e73132216849d90fddd960c492adae1c4142ca9ea780aea0b0e51f46"),
  SampleDigest(
    length: 374,
    hash: "7bbd29b9390711cf139ce8b810d9009c10a89bce5916f5e02e14313238b57e05",
    code: "0d9fcf8762791bed5f14433487ec1e61e1f7b135d45831b0a0b697debe456b01"),
  SampleDigest(
    length: 404,
    hash: "1b82afebdc08ebebd415729faad7b968fbfbde8aa8c8141dc5e916254112afb8",
    code: "42231fe9f83221e4e755f0cbb267b3920f74974a211b5f5ff5945f36f03939ed"),
  SampleDigest(
    length: 428,
    hash: "96f38fc10e83a217212f6c4990c5b7598e9b1bcb9155f5551af8d8f08a364e70",
    code: "91a0f1aa3c8714d09259d9c5827f7fa9bf4750cc25d58cc18252f6bf3878ab45"),
  SampleDigest(
    length: 434,
    hash: "fe98fe911b56b52b3b6de9cbe7df8913e8cbe479058b71993924347af707a543",
    code: "d2c34cef437ab4bb407b0b9a2da837783bc45a04c0c0279ef5b745445b887d5f"),
  SampleDigest(
    length: 444,
    hash: "7a4116f1d7766e3d9d16f309df2e610e8a50e68baca1fbbc462294c7cddd34d8",
    code: "4bd309378dbe4f5c608a1894362656ef7e66641607d2f943112b77358849ee70"),
  SampleDigest(
    length: 519,
    hash: "b1036d9842a77573a65367f1e5bd9fe8097c164a6ea68c2c24011bc9d6510e41",
    code: "0a88a9565074914b9df5278b5d3fb53dd27b574167c009d4bc6bf942813ada62"),
  SampleDigest(
    length: 548,
    hash: "f101e8f78694dff78a184f08128fba62927d9a26580ad70ac5dcb64b0b067322",
    code: "f53c1b9c8106d6f6ecd4585d404c9183664cba9aa922f9aa6b3bac949a394613"),
  SampleDigest(
    length: 564,
    hash: "25a5141de5a0713755c94ba926d19931c1709a080d01dec99a8d5184b6c0b07a",
    code: "d6591d6c38cbdee98dc8d54c2ea30906d1a487354b7a2cbedb2b58c53ceb4908"),
  SampleDigest(
    length: 579,
    hash: "43b31fbb3dfb1fd0b91c3bb9d0ca6333878178e71b1785b6fbc81785c8e2c8cb",
    code: "3f19945ac8f530cbc6f1e897df15019ed3b531846bdecfd6c16aea1fcf30e25f"),
  SampleDigest(
    length: 596,
    hash: "c57961c1c6ffc34d97ae6e7fd83953cd518061af0eabd2c6401a247b12e01baa",
    code: "1b9e250ce97aadef73420e1f46e17db91c40a18164e43abbc915a6852f39b552"),
  SampleDigest(
    length: 666,
    hash: "a5a9811ee3bd4809f71212df0f162fa09b7b772b48ea7b8704a5d44ef567474d",
    code: "d4906f81f07591bfd0a05e0ac16e77d655679ad372ae5152f0364330ab451cb8"),
]

/// The digests of one message.
struct SampleDigest: Sendable, CustomStringConvertible {
  let length: Int
  let hash: String
  let code: String

  /// A message of this length.
  var message: [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + $0 * 7 + length) }
  }

  /// A key of up to 149 bytes: shorter and longer than a block.
  var key: [UInt8] {
    (0..<length * 3 % 150).map { UInt8(truncatingIfNeeded: $0 * 5 + length) }
  }

  var description: String { "\(length) bytes" }
}
