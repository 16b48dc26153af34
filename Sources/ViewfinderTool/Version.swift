extension ViewfinderTool {
  /// The version of the package: the only place that names it.
  static let version = "0.1.0"
}
