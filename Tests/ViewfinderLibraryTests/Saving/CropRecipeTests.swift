import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct CropRecipeTests {
  private static let frame = CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
  private static let corners = [
    CGPoint(x: 0.1, y: 0.1), CGPoint(x: 0.9, y: 0.15), CGPoint(x: 0.85, y: 0.8),
    CGPoint(x: 0.12, y: 0.75),
  ]

  static let outlines: [Outline] = [
    .rectangle(frame), .roundedRectangle(frame, cornerRadius: 0.01), .ellipse(frame),
    .polygon(corners + [CGPoint(x: 0.5, y: 0.5)]),
    .quadrilateral(
      Quadrilateral(
        topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])),
    .id1Card(origin: CGPoint(x: 0.2, y: 0.3), width: 0.5), .card(fraction: 0.7),
    .inPixels(.rectangle(CGRect(x: 10, y: 20, width: 300, height: 200))),
  ]

  @Test("Every outline is read as it was written", arguments: outlines)
  func outline(outline: Outline) throws {
    let recipe = CropRecipe(
      PhotoCrop(
        outline: outline, rectifiedSize: Dimensions(width: 1011, height: 638),
        backgroundColor: PhotoColor(red: 1, green: 0xab, blue: 255)), orientation: .right)
    let data = try JSONEncoder().encode(recipe)
    #expect(try JSONDecoder().decode(CropRecipe.self, from: data) == recipe)
  }

  @Test func theFileIsAsDocumented() throws {
    let recipe = CropRecipe(
      PhotoCrop(
        outline: .inPixels(.rectangle(CGRect(x: 1, y: 2, width: 3, height: 4))),
        rectifiedSize: Dimensions(width: 5, height: 6),
        backgroundColor: PhotoColor(red: 255, green: 128, blue: 0)), orientation: .down)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(recipe), as: UTF8.self)
        == ##"{"background":"#FF8000","orientation":3,"outline":{"height":4,"kind":"rectangle","unit":"pixels","width":3,"x":1,"y":2},"rectifiedSize":{"height":6,"width":5},"version":1}"##
    )
  }

  @Test("A photo of any name has a recipe beside it", arguments: FilePath.hostileNames.dropLast())
  func kept(name: FilePath) throws {
    let folder = try ScratchFolder()
    let photo = try folder.write(name, "photo")
    let recipes = RecipeFolder(beside: folder.path)
    #expect(try recipes.recipe(for: photo) == nil)
    try recipes.update(photo) { $0 = CropRecipe(PhotoCrop(outline: .card())) }
    #expect(try recipes.recipe(for: photo)?.crop.outline == .card())
    #expect(photo.text == "photo")
    try recipes.update(photo) { $0 = nil }
    #expect(try recipes.recipe(for: photo) == nil)
    #expect(try folder.names(".viewfinder/recipes") == [".lock"])
  }

  @Test func whatIsNotKnownIsKept() throws {
    let folder = try ScratchFolder()
    let photo = try folder.write("a.jpg", "12345")
    let file = try folder.write(
      ".viewfinder/recipes/a.jpg.json",
      #"{"version":1,"filter":{"name":"mono","steps":[1,2.5,null,true,9007199254740993]},"by":"x"}"#
    )
    let recipes = RecipeFolder(beside: folder.path)
    // Even by one who makes a recipe of their own.
    try recipes.update(photo) { $0 = CropRecipe(orientation: .left) }
    let text = try #require(file.text)
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    #expect(
      object["filter"]
        == .object([
          "name": .string("mono"),
          "steps": .array([
            .integer(1), .number(2.5), .null, .bool(true), .integer(9_007_199_254_740_993),
          ]),
        ]))
    #expect(object["by"] == .string("x"))
    #expect(object["orientation"] == .integer(8) && object["originalSize"] == .integer(5))
  }

  @Test func aRecipeIsNotForAnotherPictureOfTheSameName() throws {
    let folder = try ScratchFolder()
    let photo = try folder.write("a.jpg", "first")
    let recipes = RecipeFolder(beside: folder.path)
    try recipes.update(photo) { $0 = CropRecipe(PhotoCrop(outline: .card())) }
    try folder.write("a.jpg", "another")
    #expect(try recipes.recipe(for: photo) == nil)
  }

  @Test("A recipe follows a photo that is renamed, and no other photo")
  func renamed() throws {
    let folder = try ScratchFolder()
    let photo = try folder.write("a.jpg", "first")
    let other = try folder.write("b.jpg", "other")
    let recipes = RecipeFolder(beside: folder.path)
    try recipes.update(photo) { $0 = CropRecipe(PhotoCrop(outline: .card())) }
    let copy = try folder.write("copy.jpg", "first")
    #expect(try recipes.recipe(for: copy) == nil)
    let renamed = folder.path.appending("c.jpg")
    #expect(photo.moveToFree(renamed) == 0)
    #expect(try recipes.recipe(for: renamed)?.crop.outline == .card())
    #expect(try recipes.recipe(for: other) == nil)
    try recipes.update(renamed) { $0?.orientation = .left }
    #expect(try recipes.recipe(for: renamed)?.crop.outline == .card())
    #expect(try folder.names(".viewfinder/recipes") == [".lock", "c.jpg.json"])
    try recipes.update(renamed) { $0 = nil }
    #expect(try folder.names(".viewfinder/recipes") == [".lock"])
  }

  @Test(
    "A damaged recipe is an error, and is left as it is",
    arguments: [
      "", "[]", "{}", "{\"version\":2}", "{\"version\":\"1\"}",
      #"{"version":1,"outline":{"kind":"star"}}"#,
      #"{"version":1,"outline":{"kind":"rectangle","x":1}}"#,
      #"{"version":1,"outline":{"kind":"ellipse","unit":"mm","x":0,"y":0,"width":1,"height":1}}"#,
      #"{"version":1,"outline":{"kind":"polygon","points":[[1,2],[3,4]]}}"#,
      #"{"version":1,"outline":{"kind":"polygon","points":[[1],[2],[3]]}}"#,
      #"{"version":1,"outline":{"kind":"quadrilateral","points":[[1,2],[3,4],[5,6]]}}"#,
      #"{"version":1,"rectifiedSize":{"width":0,"height":1}}"#,
      #"{"version":1,"rectifiedSize":{"width":9223372036854775807,"height":1}}"#,
      #"{"version":1,"background":"red"}"#, ##"{"version":1,"background":"#+12345"}"##,
      #"{"version":1,"orientation":9}"#, #"{"version":1e400}"#,
      String(repeating: "[", count: 100_000),
      #"{"version":1,"x":"# + String(repeating: "[", count: 10_000),
    ])
  func damaged(text: String) throws {
    let folder = try ScratchFolder()
    let photo = try folder.write("a.jpg")
    let file = try folder.write(".viewfinder/recipes/a.jpg.json", text)
    let recipes = RecipeFolder(beside: folder.path)
    let error = #expect(throws: PhotoLibraryError.self) { try recipes.recipe(for: photo) }
    guard let error, case .damaged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: error) { try recipes.update(photo) { $0 = nil } }
    #expect(file.text == text)
  }

  @Test func numbersThatJSONCannotHoldAreRefused() throws {
    let folder = try ScratchFolder()
    let photo = try folder.write("a.jpg")
    #expect {
      try RecipeFolder(beside: folder.path).update(photo) {
        $0 = CropRecipe(PhotoCrop(outline: .centeredCard(fraction: .nan)))
      }
    } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    #expect(try folder.names(".viewfinder/recipes") == [".lock"])
  }

  @Test func aRecipeCropsARealPicture() throws {
    let cards = FilePath(
      URL(fileURLWithPath: #filePath).appending(path: "../../../../../shared/data/cards/images")
        .standardizedFileURL)
    guard let name = try? cards.names().filter({ $0.pathExtension == "jpg" }).min() else {
      print("Skipped: there is no \(cards).")
      return
    }
    let data = try FileReader(cards.appending(name)).readAll(limit: 1 << 26)
    let recipe = CropRecipe(
      PhotoCrop(
        outline: .card(), rectifiedSize: Dimensions(width: 1011, height: 638),
        backgroundColor: .black), orientation: .up)
    let read = try JSONDecoder().decode(
      CropRecipe.self, from: try JSONEncoder().encode(recipe))
    let cropped = try read.crop.apply(to: data, orientation: read.orientation)
    #expect(cropped.dimensions == Dimensions(width: 1011, height: 638))
    #expect(try recipe.crop.apply(to: data, orientation: .up).data.count == cropped.data.count)
  }
}
