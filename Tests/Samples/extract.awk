# Writes the Swift samples of the files in the arguments as files to compile, in FOLDER (-v): each sample of a doc comment as
# a function in comments/; those of a page as a program in programs/, a new one where a sample imports something.
# Their number goes to FOLDER/count. -v kinds="let view func show …" says what Presupposed.swift declares.

function fail(line, message) {
  print FILENAME ":" line ": error: " message
  failed = 1
}

# A path's name for a file of its own.
function flat(path) {
  gsub("/", "-", path)
  return path
}

# The scoped imports of the names that a page presupposes for its next sample.
function scoped_imports(names,   list, count, i, text) {
  count = split(names, list, /[ ,]+/)
  for (i = 1; i <= count; i++) {
    if (list[i] == "") continue
    if (list[i] in kind) text = text "import " kind[list[i]] " Presupposed." list[i] "\n"
    else fail(FNR, "Tests/Samples/Presupposed.swift doesn't declare " list[i])
  }
  return text
}

function add_comment_sample(   name) {
  name = folder "/comments/" flat(FILENAME) "-" start ".swift"
  before[name] = "import Foundation\nimport Presupposed\nimport Viewfinder\n"
  if (FILENAME !~ "^Sources/Viewfinder/") before[name] = before[name] "import ViewfinderLibrary\n"
  if (FILENAME ~ "^Sources/ViewfinderPicker/") before[name] = before[name] "import ViewfinderPicker\n"
  before[name] = before[name] "private func sample() async throws {\n"
  text[name] = code
  after[name] = "}\n"
}

function add_page_sample() {
  if (imports_something) {
    program = folder "/programs/" flat(FILENAME) "-" start
    system("mkdir -p '" program "'")
    program = program "/main.swift"
  } else if (program == "") {
    fail(start, "the first sample of a page imports what it uses")
    return
  } else {
    # What came before can be used, and its names can be given anew.
    code = "do {\n" code
    after[program] = after[program] "}\n"
  }
  before[program] = before[program] scoped_imports(presupposed)
  text[program] = text[program] code
  presupposed = ""
}

BEGIN {
  count = split(kinds, list, /[ \n]+/)
  for (i = 1; i < count; i += 2) kind[list[i + 1]] = list[i]
}

FNR == 1 {
  is_comment = FILENAME ~ /\.swift$/
  inside = 0
  program = presupposed = ""
}

{ line = $0 }

is_comment {
  if (line !~ /^ *\/\/\//) {
    if (inside) fail(start, "the sample has no end")
    inside = 0
    next
  }
  sub(/^ *\/\/\/ ?/, "", line)
}

!inside && line ~ /^<!-- presupposes: .* -->$/ {
  sub(/^<!-- presupposes: /, "", line)
  sub(/ -->$/, "", line)
  presupposed = presupposed " " line
  next
}

!inside && line ~ /^ *```[^`]*$/ {
  match(line, /^ */)
  indent = RLENGTH
  language = substr(line, indent + 4)
  if (language == "") fail(FNR, "the sample names no language, such as swift, sh or text")
  inside = 1
  start = FNR
  imports_something = 0
  code = "#sourceLocation(file: \"" FILENAME "\", line: " start + 1 ")\n"
  next
}

inside && line ~ /^ *```$/ {
  inside = 0
  if (language != "swift") next
  samples++
  code = code "#sourceLocation()\n"
  if (is_comment) add_comment_sample()
  else add_page_sample()
  next
}

inside {
  if (line ~ /^ *import /) imports_something = 1
  code = code substr(line, indent + 1) "\n"
}

END {
  for (name in text) {
    printf "%s%s%s", before[name], text[name], after[name] >name
    close(name)
  }
  print samples + 0 >(folder "/count")
  exit failed
}
