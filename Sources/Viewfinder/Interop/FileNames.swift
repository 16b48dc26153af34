import CViewfinder

/// Renames a file to a name that nothing has; returns 0 or an `errno`.
func renameToFree(_ path: String, _ newPath: String) -> Int32 {
  unsafe vf_rename_to_free(path, newPath)
}
