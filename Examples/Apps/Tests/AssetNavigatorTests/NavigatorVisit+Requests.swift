import BrowserSupport

/// What tests do with the page's requests.
extension NavigatorVisit {
  /// Lets ``answer(_:_:after:)`` have a part in what the page asks for from now on.
  func interceptRequests() async throws {
    try await browser.run(
      """
      const real = window.fetch;
      window.answers = {};
      window.fetch = async (url, options) => {
        const wanted = window.answers[new URL(url).pathname] ?? { kind: "right" };
        const isItsTurn = (wanted.passed = (wanted.passed ?? 0) + 1) > wanted.after;
        if (wanted.kind === "late" && isItsTurn) await new Promise((resolve) => (window.waiting ??= []).push(resolve));
        // However long a test looks meanwhile, the page doesn't give up what is late.
        const { signal, ...patient } = options ?? {};
        if (wanted.kind !== "wrong" || !isItsTurn) return real(url, wanted.kind === "late" ? patient : options);
        return new Response('{"error": "The folder can’t be read."}', { status: 500 });
      };
      """)
  }

  /// Says how requests of a path are answered.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - kind: "right", by the program; "late", when ``goOn()`` is called; "wrong", with an error.
  ///   - count: So many are answered right before. The default is none.
  /// - Throws: When the browser doesn't answer.
  func answer(_ path: String, _ kind: String, after count: Int = 0) async throws {
    try await browser.run(
      "window.answers[arguments[0]] = { kind: arguments[1], after: arguments[2] }", .string(path),
      .string(kind), .number(Double(count)))
  }

  /// Lets requests that wait go to the program, when there is one, and others as well.
  func goOn() async throws {
    try await wait("a request that waits", "window.waiting?.length")
    try await browser.run(
      "window.answers = {}; for (const goOn of window.waiting.splice(0)) goOn()")
  }
}
