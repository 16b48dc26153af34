import Viewfinder

@testable import ViewfinderLibrary

/// XMP packets, and what holds them.
enum XMPSample {
  static let namespaces = """
    xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
    xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
    xmlns:Container="http://ns.google.com/photos/1.0/container/" \
    xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    """

  /// A packet with properties as attributes, and others as elements.
  static func packet(_ attributes: String = "", _ elements: String = "") -> [UInt8] {
    text(
      """
      <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" \(namespaces) \(attributes)>\(elements)</rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """)
  }

  /// 2003-03-10 15:04:43 +01:00 at 48° 8' N, 11° 30' W.
  static let statements = """
    exif:DateTimeOriginal="2003-03-10T15:04:43+01:00" exif:GPSLatitude="48,8N" \
    exif:GPSLongitude="11,30,0W" tiff:Make="ACME" tiff:Model="Box"
    """
  static let dated = packet(statements)

  static func segment(_ packet: [UInt8]) -> [UInt8] {
    jpegSegment(0xe1, text("http://ns.adobe.com/xap/1.0/\0") + packet)
  }

  static let uuid: [UInt8] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ]

  static func gif(_ packet: [UInt8]) -> [UInt8] {
    // A colour table, a comment in two blocks, and the packet with the bytes that end it as blocks.
    let table: [UInt8] = [0x80, 0, 0] + zeros(6)
    let comment = [0x21, 0xfe, 2] + text("ab") + [1] + text("c") + [0]
    let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
    return text("GIF89a") + little(7, 2) + little(5, 2) + table + comment
      + [0x21, 0xff, 11] + text("XMP DataXMP") + packet + trailer + [0x2c] + zeros(9)
  }

  static func itext(_ packet: [UInt8]) -> [UInt8] {
    pngChunk("iTXt", text("XML:com.adobe.xmp\0") + [0, 0] + text("en\0\0") + packet)
  }

  /// Every kind of file that has a place for XMP.
  static func files(_ packet: [UInt8]) -> [(String, [UInt8])] {
    let jpeg = ViewfinderLibraryTests.jpeg(40, 30, segment(packet))
    let page: TIFFBuilder.Directory = [
      0x100: .short(40), 0x101: .short(30), 0x2bc: .bytes(packet),
    ]
    return [
      ("JPEG", jpeg), ("PNG", png(40, 30, before: itext(packet))), ("GIF", gif(packet)),
      (
        "WebP",
        MediaSample.webP(
          riffChunk("VP8X", [4, 0, 0, 0] + little(39, 3) + little(29, 3)),
          riffChunk("VP8 ", MediaSample.vp8), riffChunk("XMP ", packet))
      ),
      ("TIFF", TIFFBuilder.file([page])),
      ("DNG", TIFFBuilder.file([page.merging([0xc612: .bytes([1, 4, 0, 0])]) { $1 }])),
      ("HEIC", HEIFSample.file(exif: zeros(8), xmp: packet)),
      ("MP4", VideoSample.file() + box("uuid", uuid, packet)),
      ("QuickTime", VideoSample.file(VideoSample.track() + box("udta", box("XMP_", packet)))),
      ("AVI", VideoSample.aviFile(riffChunk("_PMX", packet))),
      (
        "JPEG 2000",
        box("jP  ", [0x0d, 0x0a, 0x87, 0x0a])
          + box("jp2h", box("ihdr", big(60, 4), big(70, 4), zeros(6))) + box("uuid", uuid, packet)
      ),
      (
        "JPEG XL",
        box("JXL ", [0x0d, 0x0a, 0x87, 0x0a]) + box("xml ", packet)
          + box("jxlc", [0xff, 0x0a, 0b0100_1111, 0b0000_0010])
      ),
      ("CR3", MediaSample.cr3 + box("uuid", uuid, packet)),
    ]
  }

  /// Those whose readers aren't among other samples.
  static let samples: [MediaSample] = files(dated).compactMap { name, bytes in
    let types: [String: (ContentType, Int, Int)] = [
      "JPEG": (.jpeg, 40, 30), "PNG": (.png, 40, 30), "GIF": (.gif, 7, 5), "TIFF": (.tiff, 40, 30),
      "HEIC": (.heic, 4032, 3024), "MP4": (.mpeg4, 1920, 1080),
    ]
    return types[name].map { MediaSample("\(name) with XMP", $0.0, $0.1, $0.2, bytes) }
  }
}
