import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Real photos and hostile files in a library: what is known of each is in manifests beside them.
@Suite(.enabled(if: LibraryCorpus.isHere, "needs the photos in ../shared/data"))
struct LibraryCorpusTests {
  @Test("Every picture is shown upright, whole and as a thumbnail, as is known of it")
  func shown() async throws {
    let rig = try await LibraryCorpus.rig()
    for picture in LibraryCorpus.pictures {
      guard let known = picture.uprightLuma8X8 else { continue }
      let asset = try await rig.asset("jpeg/\(picture.file)")
      #expect(asset.error == nil, "\(picture.file)")
      #expect(asset.dimensions == picture.uprightDimensions, "\(picture.file)")
      let whole: PixelBuffer
      do { whole = try await asset.fullResolutionImage() } catch {
        // Arithmetic coding need not be known.
        #expect(picture.expect != "decode", "\(picture.file): \(error)")
        continue
      }
      #expect(whole.dimensions == picture.uprightDimensions, "\(picture.file)")
      // How CMYK becomes RGB is a matter of taste.
      let tolerance = picture.components == 4 ? 60.0 : 8.0
      #expect(try whole.distance(to: known) <= tolerance, "\(picture.file)")
      let thumbnail = try await rig.library.thumbnail(of: asset)
      // A tile may have 2.5 pixels of a thumbnail, or a camera have made it.
      #expect(try thumbnail.distance(to: known) <= tolerance + 8, "\(picture.file)")
    }
  }

  @Test("Every card is shown upright, and its thumbnail is the same picture")
  func cards() async throws {
    let rig = try await LibraryCorpus.rig()
    for card in LibraryCorpus.cards {
      let asset = try await rig.asset("cards/\(card.file)")
      #expect(asset.error == nil && asset.contentType == .jpeg, "\(card.file)")
      let whole = try await asset.fullResolutionImage()
      let size = Dimensions(width: card.width, height: card.height)
      #expect(whole.dimensions == size && asset.dimensions == size, "\(card.file)")
      let thumbnail = try await rig.library.thumbnail(of: asset)
      #expect(
        thumbnail.dimensions == size.fitted(into: Dimensions(width: 256, height: 256)),
        "\(card.file)")
      #expect(try thumbnail.distance(to: whole.luma()) <= 8, "\(card.file)")
    }
  }

  @Test("Every hostile file is an item, with an error or a picture that can be used")
  func hostile() async throws {
    let rig = try await LibraryCorpus.rig()
    let hostile = LibraryCorpus.pictures.filter { $0.status != "valid" }
    #expect(hostile.count > 5)
    for picture in hostile {
      let asset = try await rig.asset("jpeg/\(picture.file)")
      let mustFail = picture.status == "undecodable"
      for isThumbnail in [false, true] {
        do {
          let shown =
            isThumbnail
            ? try await rig.library.thumbnail(of: asset) : try await asset.fullResolutionImage()
          #expect(!mustFail, "\(picture.file)")
          let size = isThumbnail ? nil : picture.uprightDimensions
          #expect(size == nil || shown.dimensions == size, "\(picture.file)")
        } catch {
          #expect(picture.expect.contains("error"), "\(picture.file): \(error)")
          switch error {
          case .damaged, .unsupported: break
          default: Issue.record("\(picture.file): \(error)")
          }
        }
      }
    }
    #expect(try await rig.library.album(.all).counts().all >= LibraryCorpus.count)
  }
}

/// The photos and what is known of them.
enum LibraryCorpus {
  static let data = FilePath(#filePath).folder.folder.folder.folder.appending("shared/data")

  struct Picture: Decodable, Sendable {
    var file: String
    var status: String
    var expect: String
    var components: Int?
    var uprightWidth: Int?
    var uprightHeight: Int?
    var uprightLuma8X8: [[Double]]?

    var uprightDimensions: Dimensions? {
      guard let uprightWidth, let uprightHeight else { return nil }
      return Dimensions(width: uprightWidth, height: uprightHeight)
    }
  }

  struct Card: Decodable, Sendable {
    var file: String
    var width: Int
    var height: Int
  }

  private struct Manifest<Item: Decodable>: Decodable { var images: [Item] }

  private static func list<Item: Decodable>(_ path: String) -> [Item] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let bytes = try? Data(contentsOf: data.appending(path).url) else { return [] }
    return (try? decoder.decode(Manifest<Item>.self, from: bytes))?.images ?? []
  }

  static let pictures: [Picture] = list("jpeg/manifest.json")
  static let cards: [Card] = list("cards/corners.json")
  static var isHere: Bool { !pictures.isEmpty }
  static var count: Int { pictures.count + cards.count }

  /// A library of all of them.
  static func rig() async throws -> LibraryRig {
    try await LibraryRig { folder in
      for name: FilePath in ["cards", "jpeg"] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.path.appending(name).description,
          withDestinationPath: data.appending(name).description)
      }
    }
  }
}

extension PixelBuffer {
  /// The mean luma over a grid of 8 × 8.
  fileprivate func luma() throws -> [[Double]] {
    let grey = try converted(to: .grey)
    let (width, height, stride) = (dimensions.width, dimensions.height, grey.bytesPerRow())
    let bytes = grey.bytes()
    return (0..<8).map { row in
      (0..<8).map { column in
        let ys = row * height / 8..<max((row + 1) * height / 8, row * height / 8 + 1)
        let xs = column * width / 8..<max((column + 1) * width / 8, column * width / 8 + 1)
        var sum = 0
        for y in ys {
          for x in xs {
            sum += Int(bytes[y * stride + x])
          }
        }
        return Double(sum) / Double(ys.count * xs.count)
      }
    }
  }

  /// The greatest difference in luma of a tile.
  fileprivate func distance(to known: [[Double]]) throws -> Double {
    zip(try luma().joined(), known.joined()).map { abs($0 - $1) }.max() ?? 255
  }
}
