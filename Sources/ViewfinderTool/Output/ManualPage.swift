import Foundation

/// The page for man(1), made from the definitions of commands and options that also make `--help`.
///
/// Options that several commands share, because they stand in a group with a title, have a section of their own.
struct ManualPage {
  private let root: Command
  private let version: String
  private var text = ""
  private var beginsParagraph = false
  private var isAfterHeading = false

  /// Reads the definitions.
  ///
  /// - Parameters:
  ///   - definitions: What `--experimental-dump-help` prints.
  ///   - version: The program's version.
  /// - Throws: When the definitions can't be read.
  init(definitions: String, version: String) throws {
    root = try JSONDecoder().decode(Definitions.self, from: Data(definitions.utf8)).command
    self.version = version
  }

  /// The page, for the macros of man(7).
  static func render(_ definitions: String, version: String) throws -> String {
    var page = try ManualPage(definitions: definitions, version: version)
    page.write()
    return page.text
  }

  // MARK: What is in it

  private mutating func write() {
    let name = root.commandName
    // Neither words nor JSON are hyphenated or stretched.
    line(".nr HY 0")
    line(".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"")
    line(".ad l")
    line(".SH NAME")
    prose("\(name) - \(root.summary)")
    line(".SH SYNOPSIS")
    line(".B \(Self.escaped(name))\n.I command\n[options]")
    line(".SH DESCRIPTION")
    let (description, sections) = root.discussionAndSections
    discussion(description)
    prose("Every command explains itself with --help; --version prints the version.")
    line(".SH COMMANDS")
    for command in root.subcommands ?? [] { write(command, path: [name]) }
    for group in groups {
      line(".SH \(Self.escaped(group.title.uppercased()))")
      prose("For \(group.commands.joined(separator: ", ")).")
      for argument in group.arguments { write(argument) }
    }
    for section in sections {
      line(".SH \(Self.escaped(section.title))")
      discussion(section.text)
    }
  }

  private mutating func write(_ command: Command, path: [String]) {
    guard command.shouldDisplay, command.commandName != "help" else { return }
    let path = path + [command.commandName]
    if let subcommands = command.subcommands, !subcommands.isEmpty {
      for subcommand in subcommands { write(subcommand, path: path) }
      return
    }
    let arguments = command.displayed
    line(".SS \(Self.escaped(path.joined(separator: " ")))")
    let synopsis =
      [Self.bold(path.joined(separator: " "))]
      + arguments.filter { $0.kind == .positional }.map(\.synopsis)
      + command.groupTitles.map { "[\($0.lowercased())]" }
      + (arguments.contains { $0.isOwn && $0.kind != .positional } ? ["[options]"] : [])
    line(synopsis.joined(separator: " "))
    paragraph()
    prose(command.abstract ?? "")
    paragraph()
    discussion(command.discussion ?? "")
    for argument in arguments where argument.isOwn { write(argument) }
  }

  private mutating func write(_ argument: Argument) {
    line(".TP")
    line(argument.heading)
    prose(argument.abstract ?? "")
    guard let more = argument.discussion, !more.isEmpty else { return }
    prose(more)
  }

  /// The groups of options with a title, in the order in which commands first have them.
  private var groups: [(title: String, arguments: [Argument], commands: [String])] {
    var found: [(title: String, arguments: [Argument], commands: [String])] = []
    for command in root.leaves(path: []) {
      for title in command.command.groupTitles {
        let own = command.command.displayed.filter { $0.sectionTitle == title }
        if let index = found.firstIndex(where: { $0.title == title }) {
          found[index].commands.append(command.name)
          let known = Set(found[index].arguments.map(\.heading))
          found[index].arguments += own.filter { !known.contains($0.heading) }
        } else {
          found.append((title, own, [command.name]))
        }
      }
    }
    return found
  }

  // MARK: How it is written

  private mutating func line(_ line: String) {
    // A paragraph begins only where text follows, and by itself after a heading.
    let isHeading = line.hasPrefix(".S")
    if beginsParagraph, !isHeading, !line.hasPrefix(".TP") { text += ".PP\n" }
    beginsParagraph = false
    isAfterHeading = isHeading
    text += line + "\n"
  }

  private mutating func paragraph() { beginsParagraph = !isAfterHeading }

  /// A paragraph's text, which is filled.
  private mutating func prose(_ prose: String) {
    for line in prose.split(separator: "\n") { self.line(Self.escaped(line)) }
  }

  /// Paragraphs; what is indented keeps its lines.
  private mutating func discussion(_ discussion: String) {
    var isLiteral = false
    for source in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if source.hasPrefix("  ") != isLiteral, !source.isEmpty {
        isLiteral.toggle()
        if isLiteral { paragraph() }
        line(isLiteral ? ".EX" : ".EE")
        if !isLiteral { paragraph() }
      }
      if !source.isEmpty {
        line(Self.escaped(source))
      } else if !isLiteral {
        paragraph()
      }
    }
    if isLiteral { line(".EE") }
    paragraph()
  }

  /// A line that shows every character as it is, in ASCII.
  private static func escaped(_ line: some StringProtocol) -> String {
    let special: [Unicode.Scalar: String] = [
      "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]
    let escaped = line.unicodeScalars.map { scalar in
      special[scalar]
        ?? (scalar.isASCII
          ? String(scalar) : "\\[u" + String(format: "%04X", scalar.value) + "]")
    }.joined()
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }
}

extension ManualPage {
  private struct Definitions: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The abstract as a phrase, as the lists of man pages have it.
    var summary: String {
      let abstract = abstract ?? ""
      return abstract.prefix(1).lowercased()
        + (abstract.hasSuffix(".") ? abstract.dropLast() : abstract[...]).dropFirst()
    }

    /// What a person may type, without `--help` and `--version`, which every command has.
    var displayed: [Argument] {
      (arguments ?? []).filter { $0.shouldDisplay && !["help", "version"].contains($0.valueName) }
    }

    var groupTitles: [String] {
      var titles: [String] = []
      for case let title? in displayed.map(\.sectionTitle) where !titles.contains(title) {
        titles.append(title)
      }
      return titles
    }

    /// The discussion, of which lines in capitals begin sections.
    var discussionAndSections: (String, [(title: String, text: String)]) {
      var (text, sections): (String, [(title: String, text: String)]) = ("", [])
      for line in (discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
        if line.contains(where: \.isUppercase), line == line.uppercased(), !line.hasPrefix(" ") {
          sections.append((String(line), ""))
        } else if sections.isEmpty {
          text += line + "\n"
        } else {
          sections[sections.endIndex - 1].text += line + "\n"
        }
      }
      return (text.trimmingCharacters(in: .newlines), sections)
    }

    /// The commands without subcommands, with their names after the program's.
    func leaves(path: [String]) -> [(name: String, command: Command)] {
      (subcommands ?? []).flatMap { command -> [(name: String, command: Command)] in
        let path = path + [command.commandName]
        let below = command.leaves(path: path)
        return below.isEmpty ? [(path.joined(separator: " "), command)] : below
      }
    }
  }

  private struct Argument: Decodable {
    enum Kind: String, Decodable {
      case positional, option, flag
    }
    struct Name: Decodable {
      var kind: String
      var name: String

      var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: Kind
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var discussion: String?
    var sectionTitle: String?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
    var parsingStrategy: String

    /// Whether it stands with its command, and not in a group that commands share.
    var isOwn: Bool { sectionTitle == nil }

    private var value: String { ManualPage.italic(valueName ?? "value") }

    var synopsis: String {
      let many = isRepeating ? value + " \\[u2026]" : value
      return isOptional ? "[\(many)]" : many
    }

    /// How it is typed.
    var heading: String {
      if kind == .positional { return synopsis }
      let typed = (names ?? []).map { ManualPage.bold($0.typed) }.joined(separator: ", ")
      if kind == .flag { return typed }
      // What may stand without its value is parsed so.
      return parsingStrategy == "scanningForValue" ? "\(typed) [\(value)]" : "\(typed) \(value)"
    }
  }
}
