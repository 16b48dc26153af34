import CLibMD

/// The MD5 checksum of a text's bytes in hexadecimal digits, as thumbnails' names have it.
func md5(_ text: String) -> String {
  var context = MD5_CTX()
  var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
  let bytes = Array(text.utf8)
  unsafe MD5Init(&context)
  unsafe MD5Update(&context, bytes, bytes.count)
  unsafe MD5Final(&digest, &context)
  return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
