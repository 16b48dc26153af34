// With the sources in Examples/Apps/Sources/StrictJSON
import Foundation

/// Whatever the bytes are, the check ends; what passes Foundation reads as well, with the same members and elements.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
  let members = try? StrictJSON.members(of: data)
  let elements = try? StrictJSON.elements(of: data)
  guard (try? StrictJSON.check(data)) != nil else { return 0 }
  let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
  precondition(value != nil, "must hold: what passes is JSON")
  if let object = value as? [String: Any] {
    precondition(members.map { Set($0.keys) } == Set(object.keys), "must hold: the same members")
  }
  if let list = value as? [Any] {
    precondition(elements?.count == list.count, "must hold: as many elements")
  }
  return 0
}
