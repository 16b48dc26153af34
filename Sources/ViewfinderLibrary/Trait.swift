#if !PhotoLibrary
  #error(
    "ViewfinderLibrary needs the trait PhotoLibrary: in Package.swift, leave out traits: of Viewfinder, or add .defaults to them."
  )
#endif
