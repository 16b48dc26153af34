import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Photos of real cameras, and hostile files, which aren't part of the package.
enum MediaCorpus {
  static let folder: URL = {
    let environment = ProcessInfo.processInfo.environment["VIEWFINDER_TEST_DATA"]
    let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../shared/data").standardizedFileURL
    return environment.map { URL(fileURLWithPath: $0) } ?? beside
  }()

  /// The items of a manifest, which stand under one name.
  static func list<Item: Decodable>(_ path: String, _ name: String = "images") -> [Item] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else { return [] }
    do { return try decoder.decode(Manifest<Item>.self, from: data).items[name] ?? [] } catch {
      fatalError("\(path) can't be read: \(error)")
    }
  }

  /// What else a manifest has is no list.
  private struct Manifest<Item: Decodable>: Decodable {
    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var items: [String: [Item]] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys where ["images", "files"].contains(key.stringValue) {
        items[key.stringValue] = try container.decode([Item].self, forKey: key)
      }
    }
  }

  struct Picture: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var format: String
    var width: Int?
    var height: Int?
    var effectiveOrientation: Int?
    var status: String
    var testDescription: String { file }
  }

  struct Card: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var storedWidth: Int
    var storedHeight: Int
    var exifOrientation: Int?
    var testDescription: String { file }
  }

  static let pictures: [Picture] = list("jpeg/manifest.json")
  static let cards: [Card] = list("cards/corners.json")

  static func cost(_ path: String) throws -> (info: MediaInfo, windows: FileWindows) {
    let windows = FileWindows(try FileReader(FilePath(folder.appendingPathComponent(path))))
    return (try MediaReader.read(windows), windows)
  }
}

@Suite(
  "Photos of real cameras",
  .enabled(if: !MediaCorpus.pictures.isEmpty, "The test data isn't there."))
struct MediaCorpusTests {
  @Test("Pictures have the size and orientation that are known", arguments: MediaCorpus.pictures)
  fileprivate func pictures(picture: MediaCorpus.Picture) throws {
    let (info, windows) = try MediaCorpus.cost("jpeg/" + picture.file)
    #expect(windows.bytesRead <= 1 << 20 && windows.readCount <= 200)
    guard windows.size > 0 else {
      #expect(info.type == nil && info.damage != nil)
      return
    }
    #expect(picture.file.hasSuffix("missing-sof.jpg") || info.type != nil || info.damage != nil)
    #expect(info.type == (picture.format == "png" ? .png : .jpeg))
    if let width = picture.width, let height = picture.height, width > 0, height > 0 {
      #expect(info.storedDimensions == Dimensions(width: width, height: height))
    }
    #expect(info.orientation.rawValue == picture.effectiveOrientation ?? 1)
    switch picture.status {
    case "undecodable": #expect((info.damage == nil) == picture.file.contains("max_size"))
    default: #expect(info.damage == nil)
    }
  }

  @Test("Cards have the size and orientation that are known", arguments: MediaCorpus.cards)
  fileprivate func cards(card: MediaCorpus.Card) throws {
    let (info, _) = try MediaCorpus.cost("cards/" + card.file)
    #expect(info.type == .jpeg && info.damage == nil)
    #expect(info.storedDimensions == Dimensions(width: card.storedWidth, height: card.storedHeight))
    #expect(info.orientation.rawValue == card.exifOrientation ?? 1)
  }

  @Test("Real cameras' dates, names and thumbnails are read")
  func metadata() throws {
    let (sony, _) = try MediaCorpus.cost("jpeg/images/metadata_Sony_DSC-P12.jpg")
    #expect(sony.camera?.contains("DSC-P12") == true)
    let (casio, _) = try MediaCorpus.cost("jpeg/images/metadata_Casio_EX-S1.jpg")
    #expect(casio.captureDate != nil && casio.preview != nil)
  }
}
