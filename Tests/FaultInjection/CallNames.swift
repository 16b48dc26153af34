extension TamperedSystem.Call: CustomStringConvertible {
  /// The name that messages use, such as "VIDIOC_QBUF".
  public var description: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .mmap: "mmap"
    case .munmap: "munmap"
    case .poll: "poll"
    case .ioctl(let number): "VIDIOC_" + (Self.ioctlNames[number] ?? String(number))
    }
  }

  /// By the numbers in V4L2's codes.
  private static let ioctlNames: [UInt: String] = [
    0: "QUERYCAP", 2: "ENUM_FMT", 4: "G_FMT", 5: "S_FMT", 8: "REQBUFS", 9: "QUERYBUF", 15: "QBUF",
    16: "EXPBUF", 17: "DQBUF", 18: "STREAMON", 19: "STREAMOFF", 21: "G_PARM", 22: "S_PARM",
    26: "ENUMINPUT", 27: "G_CTRL", 28: "S_CTRL", 36: "QUERYCTRL", 37: "QUERYMENU", 38: "G_INPUT",
    64: "TRY_FMT", 71: "G_EXT_CTRLS", 72: "S_EXT_CTRLS", 74: "ENUM_FRAMESIZES",
    75: "ENUM_FRAMEINTERVALS", 87: "S_DV_TIMINGS", 88: "G_DV_TIMINGS", 89: "DQEVENT",
    90: "SUBSCRIBE_EVENT", 99: "QUERY_DV_TIMINGS", 103: "QUERY_EXT_CTRL",
  ]
}
