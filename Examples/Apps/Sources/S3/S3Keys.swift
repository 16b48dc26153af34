/// Where keys stand: in variables of the environment, or in a file as Amazon's tools have it.
public enum S3Keys {
  /// The variables of the first profile in the text of a file such as `~/.aws/credentials`.
  public static func words(in file: String) -> [String: String] {
    var words: [String: String] = [:]
    var profiles = 0
    for line in file.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { profiles += 1 }
      let parts = line.split(separator: "=", maxSplits: 1).map { part in
        String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
      if profiles < 2, parts.count == 2 { words[parts[0].uppercased()] = parts[1] }
    }
    return words
  }

  /// The credentials that variables hold; `nil` where one is missing.
  public static func credentials(in words: [String: String]) -> SignatureV4.Credentials? {
    guard let key = words["AWS_ACCESS_KEY_ID"], !key.isEmpty,
      let secret = words["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
    else { return nil }
    let token = words["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    return SignatureV4.Credentials(accessKey: key, secretKey: secret, sessionToken: token)
  }
}
