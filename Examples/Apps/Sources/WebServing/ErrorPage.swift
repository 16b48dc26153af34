import HTTPTypes
import Hummingbird

/// Why a browser gets no page, as a plain page: without a style, a script or anything else that would need the token, too.
struct ErrorPage {
  let error: WebError
  let isGerman: Bool

  /// The page in HTML.
  var html: String {
    let german = isGerman ? Self.german[error.code ?? ""] : nil
    let isGerman = german != nil
    let title = Self.title(error.status, isGerman)
    return """
      <!doctype html>
      <html lang="\(isGerman ? "de" : "en")">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <h1>\(title)</h1>
      <p>\(Self.escaped(german ?? error.message))</p>
      \(error.status == .unauthorized ? Self.form(isGerman) : "")
      </html>

      """
  }

  private static func title(_ status: HTTPResponse.Status, _ isGerman: Bool) -> String {
    switch status {
    case .unauthorized, .tooManyRequests: isGerman ? "Kein Zugang" : "No access"
    case .serviceUnavailable: isGerman ? "Gerade ist alles belegt" : "Nothing is free at the moment"
    default: "Nothing to see here"
    }
  }

  /// An installed page has no field for addresses.
  private static func form(_ isGerman: Bool) -> String {
    """
    <form action="/">
    <p><label>\(isGerman ? "Das Zugangswort, das in der Adresse hinter „token=“ steht:" : "The token, which stands after “token=” in the address:")<br>
    <input name="token" type="password" autocomplete="current-password" required></label>
    <button>\(isGerman ? "Öffnen" : "Open")</button></p>
    </form>
    """
  }

  private static let german = [
    "tokenMissing":
      "Dafür braucht es das Zugangswort. Öffnen Sie die Adresse, die das Programm beim Start ausgegeben hat.",
    "tokenWrong":
      "Das ist nicht das Zugangswort. Öffnen Sie die Adresse, die das Programm beim Start ausgegeben hat.",
    "tooManyTokens":
      "Von Ihrer Adresse kamen zu viele falsche Zugangswörter. Versuchen Sie es in einer Weile wieder.",
    "busy": "Gerade sind zu viele Besucher da. Versuchen Sie es in einigen Sekunden wieder.",
  ]

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}

/// Answers what a route throws with a page, where a browser asks for one.
struct ErrorsAsPages: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard request.isPageLoad, !request.hasBody else { return try await next(request, context) }
    do {
      return try await next(request, context)
    } catch {
      return Response(WebError(error), pageFor: request.head)
    }
  }
}

extension Response {
  fileprivate init(_ error: WebError, pageFor request: HTTPRequest) {
    let page = ErrorPage(error: error, isGerman: request.prefersGerman)
    self.init(
      status: error.status,
      headers: [.contentType: Asset.Kind.html.rawValue, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page.html)))
    headers[.retryAfter] = error.retryAfter.map(String.init)
    if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
  }
}
