import Foundation
import Testing

@testable import S3

@Suite("Signature version 4")
struct SignatureTests {
  /// The examples of the Amazon S3 API Reference, "Signature Calculations for the Authorization Header".
  @Test(
    "Requests are signed as AWS's examples are",
    arguments: [
      Example(
        "GET", "/test.txt", headers: ["range": "bytes=0-9"],
        signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
      Example(
        "PUT", "/test%24file.text",
        headers: [
          "date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY",
        ],
        payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
        signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
      Example(
        "GET", "/", query: [("lifecycle", "")],
        signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      Example(
        "GET", "/", query: [("prefix", "J"), ("max-keys", "2")],
        signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
  func vectors(example: Example) throws {
    let signature = SignatureV4(
      credentials: .init(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
      region: "us-east-1")
    let fields = signature.fields(
      for: SignatureV4.Request(
        method: example.method, host: "examplebucket.s3.amazonaws.com", path: example.path,
        query: example.query, headers: example.headers, payload: example.payload),
      at: Date(timeIntervalSince1970: 1_369_353_600))
    #expect(fields["x-amz-date"] == "20130524T000000Z")
    #expect(fields["authorization"]?.hasSuffix("Signature=\(example.signature)") == true)
  }

  struct Example: Sendable {
    var method: String
    var path: String
    var query: [(name: String, value: String)]
    var headers: [String: String]
    var payload: String
    var signature: String

    init(
      _ method: String, _ path: String, query: [(name: String, value: String)] = [],
      headers: [String: String] = [:],
      payload: String = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      signature: String
    ) {
      (self.method, self.path, self.query) = (method, path, query)
      (self.headers, self.payload, self.signature) = (headers, payload, signature)
    }
  }

  @Test(
    "Addresses of buckets are read, and others aren't",
    arguments: [
      ("s3://photos", "https://photos.s3.us-east-1.amazonaws.com/", ""),
      (
        "s3://photos/a/b/?region=eu-central-1", "https://photos.s3.eu-central-1.amazonaws.com/",
        "a/b/"
      ),
      ("s3://photos?endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000/photos/", ""),
    ])
  func addresses(text: String, place: String, prefix: String) throws {
    let address = try #require(S3Address(text))
    #expect("\(address.place.scheme)://\(address.place.host)\(address.place.path)" == place)
    #expect(address.prefix == prefix)
    for bad in [
      "s3:photos", "s3://", "s3://X", "http://photos", "s3://photos?x=1",
      "s3://photos?endpoint=9000",
    ] {
      #expect(S3Address(bad) == nil, "\(bad)")
    }
  }
}
