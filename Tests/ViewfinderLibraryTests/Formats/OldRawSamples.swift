import Viewfinder

@testable import ViewfinderLibrary

extension MediaSample {
  static let oldRaws: [MediaSample] = [
    MediaSample("CRW", .crw, 3072, 2048, crw()),
    MediaSample("MRW", .mrw, 2568, 1928, mrw),
    MediaSample("X3F", .x3f, 2268, 1512, x3f),
  ]

  /// A heap of entries: what they hold, and then the list of where it is.
  static func heap(_ entries: [(Int, [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = []
    var list = little(entries.count, 2)
    for (tag, content) in entries {
      if tag & 0xc000 == 0x4000 {
        list += little(tag, 2) + content + zeros(8 - content.count)
      } else {
        list += little(tag, 2) + little(content.count, 4) + little(bytes.count, 4)
        bytes += content
      }
    }
    return bytes + list + little(bytes.count, 4)
  }

  /// Taken at 2003-03-10 15:04:43, in a zone that is told or not.
  static func crw(zone: Int = 3600, hasZone: Bool = true, rotation: Int = 90) -> [UInt8] {
    let info = little(3072, 4) + little(2048, 4) + zeros(4) + little(rotation, 4) + zeros(12)
    let time = little(1_047_308_683, 4) + little(zone, 4) + little(hasZone ? 1 << 31 : 0, 4)
    let properties = heap([
      (0x180e, time), (0x1810, info), (0x5001, little(9, 4)),
      (0x2807, heap([(0x080a, text("Canon\0Canon EOS 10D\0"))])),
    ])
    let all = heap([(0x2007, preview), (0x2008, thumbnail), (0x300a, properties)])
    return text("II") + little(26, 4) + text("HEAPCCDR") + zeros(12) + all
  }

  static let mrw: [UInt8] = {
    func block(_ type: String, _ content: [UInt8]) -> [UInt8] {
      text("\0" + type) + big(content.count, 4) + content
    }
    let size = text("27820001") + [1936, 2576, 1928, 2568].flatMap { big($0, 2) } + zeros(8)
    let blocks = block("PRD", size) + block("WBG", zeros(12)) + block("TTW", exif)
    return block("MRM", blocks) + zeros(64)
  }()

  /// UTF-16 with a zero behind it.
  private static func wide(_ string: String) -> [UInt8] {
    string.utf16.flatMap { little(Int($0), 2) } + [0, 0]
  }

  static let x3f: [UInt8] = {
    let words = ["TIME", "1047308683", "CAMMANUF", "SIGMA", "CAMMODEL", "SIGMA SD10"]
    var places: [UInt8] = []
    var characters: [UInt8] = []
    for word in words {
      places += little(characters.count / 2, 4)
      characters += wide(word)
    }
    let properties =
      text("SECp") + little(0x20000, 4) + little(3, 4) + zeros(4) + zeros(4)
      + little(characters.count / 2, 4) + places + characters
    func image(_ format: Int, _ data: [UInt8]) -> [UInt8] {
      text("SECi") + little(0x20000, 4) + little(2, 4) + little(format, 4) + zeros(12) + data
    }
    let header =
      text("FOVb") + little(0x20002, 4) + zeros(20) + little(2268, 4) + little(1512, 4)
      + little(270, 4) + zeros(64)
    var bytes = header
    var list: [UInt8] = []
    let sections = [
      ("PROP", properties), ("IMAG", image(11, zeros(20))), ("IMA2", image(18, preview)),
    ]
    for (type, section) in sections {
      list += little(bytes.count, 4) + little(section.count, 4) + text(type)
      bytes += section
    }
    return bytes + text("SECd") + little(0x20000, 4) + little(3, 4) + list + little(bytes.count, 4)
  }()
}
