import ErrorWords
import Hummingbird
import NIOCore

/// An error whose words are for the person who sees the page.
public protocol PageError: CodedError {
  /// The status of the answer, for programs.
  var status: HTTPResponse.Status { get }
}

/// Why a request can't be answered, in words that say what to do.
public struct WebError: PageError {
  /// The status of the answer.
  public var status: HTTPResponse.Status
  /// What the person or the program reads.
  public var message: String
  /// Names the error for pages in other languages.
  public var code: String?
  /// What the page's words are about.
  public var values: [String: String]
  /// Why, where that is an error of its own.
  public var reasons: [ErrorWords] = []
  /// After how many seconds another try may succeed, where that is known.
  public var retryAfter: Int?

  /// The message.
  public var description: String { message }
  /// The code with its values.
  public var coded: Coded? { code.map { Coded($0, values, because: reasons) } }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - message: What is wrong and what to do.
  ///   - code: Names the error for pages in other languages. The default is `nil`.
  ///   - values: What the page's words are about. The default is nothing.
  public init(
    _ status: HTTPResponse.Status, _ message: String, code: String? = nil,
    values: [String: String] = [:]
  ) {
    self.status = status
    self.message = message
    self.code = code
    self.values = values
  }

  /// Creates an error with words of another.
  ///
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - words: What is wrong and what to do.
  public init(_ status: HTTPResponse.Status, _ words: ErrorWords) {
    self.init(status, words.message, code: words.code, values: words.values ?? [:])
    reasons = words.reasons ?? []
  }

  /// The error for whatever was thrown; for what isn't a ``PageError``, words that tell nothing.
  public init(_ error: any Error) {
    switch error {
    case let error as WebError: self = error
    case let error as any PageError:
      self.init(error.status, ErrorWords(error))
    case let error as any HTTPResponseError:
      let known = Self.words[error.status]
      let words = known?.message ?? "\(error.status.reasonPhrase)."
      self.init(error.status, (error as? HTTPError)?.body ?? words, code: known?.code)
    default:
      self.init(.internalServerError, "Something went wrong here. Try again.", code: "unknown")
    }
  }

  private static let words: [HTTPResponse.Status: (message: String, code: String)] = [
    .notFound: ("There is nothing here. “/” is the start page.", code: "nothingHere"),
    .contentTooLarge: ("That is too much at once. Send less.", code: "tooMuch"),
  ]
}

/// Answers what a route throws with `{"error": "…"}`, and with its `code` and `values` where it has some.
public struct ErrorsAsJSON<Context: ChannelContext>: RouterMiddleware {
  private let challenge: String?

  /// Creates the middleware.
  ///
  /// - Parameter challenge: What `WWW-Authenticate` says to who isn't known. The default is nothing.
  public init(challenge: String? = nil) { self.challenge = challenge }

  /// Answers, or says why not.
  public func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let error = WebError(error)
      var response = try Response.json(ErrorReport(error))
      response.status = error.status
      if error.status == .unauthorized { response.headers[.wwwAuthenticate] = challenge }
      response.headers[.retryAfter] = error.retryAfter.map(String.init)
      if request.hasBody { response.close(context.channel) }
      return response
    }
  }
}

/// An error as programs read it.
struct ErrorReport: Encodable {
  var error: String
  var code: String?
  var values: [String: String]?
  var reasons: [ErrorWords]?

  init(_ error: WebError) {
    self.error = error.message
    code = error.code
    values = error.values.isEmpty ? nil : error.values
    reasons = error.reasons.isEmpty ? nil : error.reasons
  }
}

extension Request {
  /// Whether bytes follow the head.
  var hasBody: Bool {
    headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
  }
}

extension Response {
  /// Ends the connection after the answer, because what the visitor still sends isn't read.
  ///
  /// A moment later: an end at once could overtake the answer.
  fileprivate mutating func close(_ channel: any Channel) {
    headers[.connection] = "close"
    let answer = body
    body = ResponseBody(contentLength: answer.contentLength) { writer in
      try await answer.write(writer)
      channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
  }
}
