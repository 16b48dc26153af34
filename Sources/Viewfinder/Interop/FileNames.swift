import CViewfinder

/// Renames a file to a name that nothing has; returns 0 or an `errno`.
func renameToFree(_ path: [CChar], _ newPath: [CChar]) -> Int32 {
  -(unsafe vf_rename_to_free(path, newPath))
}
