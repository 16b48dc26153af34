/// stub
struct PhotoName {
  var stem: FilePath
  var role: AssetRepresentation.Role
  init(_ name: FilePath) {
    stem = name.stem
    role = .original
  }
}
