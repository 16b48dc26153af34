import ErrorWords
import Foundation

/// What pages say: whether there are words for what programs tell them, in all languages.
public enum PageWords {
  /// The codes of errors in the sources of targets, such as "ViewfinderPages".
  ///
  /// - Parameter targets: Folders of `Sources`.
  /// - Returns: The codes.
  /// - Throws: Why they can't be read.
  public static func codes(in targets: String...) throws -> Set<String> {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(component: "Sources")
    var codes: Set<String> = []
    for target in targets {
      let found = FileManager.default.enumerator(
        at: root.appending(component: target), includingPropertiesForKeys: nil)
      let files = (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
      if files.isEmpty { throw CocoaError(.fileNoSuchFile) }
      for file in files {
        codes.formUnion(self.codes(in: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return codes
  }

  /// In `Coded("one", …)`, `Coded(condition ? "one" : "other", …)`, `.file("one", …)` and `…, code: "one"`.
  private static func codes(in source: String) -> [String] {
    source.matches(of: /(?:\bCoded\(|\.file\(|\scode: (?="))([^,)]*)/).flatMap { match in
      match.1.matches(of: /"([A-Za-z]+)"/).map { String($0.1) }
    }
  }
}

extension Browser {
  /// What is wrong with the words of the page that is open.
  ///
  /// - Parameters:
  ///   - modules: What adds words to the shared ones: "/wallet-words.js".
  ///   - codes: Of errors that the page may get.
  /// - Returns: Codes without words, entries that one language alone has, and entries with other values than in English.
  /// - Throws: Why the page doesn't say.
  public func wordProblems(_ modules: [String], codes: Set<String>) async throws -> [String] {
    let script = """
      const [modules, codes] = arguments;
      for (const module of modules) await import(module);
      const { tables: { en, ...others } } = await import("/ui/words-shared.js");
      const forms = (entry) => typeof entry === "string" ? { other: entry } : entry;
      const values = (text) => [...text.matchAll(/\\{([A-Za-z]+)\\}/g)].map((match) => match[1]);
      const told = (entry) => [...new Set(values(forms(entry).other))].sort().join();
      const problems = codes.filter((code) => !(`error.${code}` in en)).map((code) => `en: error.${code} is missing`);
      for (const [tag, table] of Object.entries(others)) {
        const own = Object.keys(table).filter((code) => !code.startsWith("value."));
        problems.push(
          ...Object.keys(en).filter((code) => !(code in table)).map((code) => `${tag}: ${code} is missing`),
          ...own.filter((code) => !(code in en)).map((code) => `en: ${code} is missing`),
          ...own.filter((code) => code in en && told(table[code]) !== told(en[code]))
            .map((code) => `${tag}: ${code} has {${told(table[code])}}, not {${told(en[code])}}`),
          // One of a thing needn't be counted, but says nothing else than several.
          ...own.filter((code) => values(Object.values(forms(table[code])).join()).some((name) => !told(en[code]).split(",").includes(name)))
            .map((code) => `${tag}: ${code} has a value that it shouldn't have`));
      }
      return problems;
      """
    let problems = try await run(
      script, .array(modules.map(JSON.string)), .array(codes.sorted().map(JSON.string)))
    return (problems.array ?? []).compactMap(\.string)
  }

  /// What is wrong with errors in the words of the page that is open, which is in German afterwards.
  ///
  /// - Parameter errors: Errors as programs tell them.
  /// - Returns: Errors without a code, without words in English or German, without a value, and with an English reason.
  /// - Throws: Why the page doesn't say.
  public func problems(telling errors: [ErrorWords]) async throws -> [String] {
    let english = try await told(errors)
    try await speak("de")
    let german = try await told(errors)
    return zip(errors, zip(english, german)).compactMap { error, words in
      let reason = error.values?["reason"]
      let isRight =
        error.code != nil && words.0 != words.1
        && [words.0, words.1].allSatisfy { !$0.contains(/\{|undefined/) }
        && reason.map { !words.1.contains($0) } != false
      return isRight ? nil : "\(error.code ?? "no code"): \(words.0) – \(words.1)"
    }
  }

  private func told(_ errors: [ErrorWords]) async throws -> [String] {
    let texts = try await run(
      """
      const { told } = await import("/ui/words.js");
      return JSON.parse(arguments[0]).map(told);
      """, .string(String(decoding: try JSONEncoder().encode(errors), as: UTF8.self)))
    return (texts.array ?? []).map { $0.string ?? "undefined" }
  }
}
