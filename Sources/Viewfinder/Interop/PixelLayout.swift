import CViewfinder

/// What the core's one table of layouts says.
extension PixelFormat {
  /// Every format that frames can be read in, the preferred ones first.
  static var readable: [PixelFormat] {
    var formats: [PixelFormat] = []
    while let row = unsafe vf_layout_at(formats.count)?.pointee, unsafe row.is_readable != 0 {
      unsafe formats.append(PixelFormat(rawValue: row.fourcc))
    }
    return formats
  }

  private var layout: vf_layout? { unsafe vf_layout_lookup(rawValue)?.pointee }

  /// Whether pictures can be made of frames in this layout.
  public var isReadable: Bool { vf_layout_rank(rawValue) >= 0 }

  /// Whether frames are JPEG pictures.
  public var isJPEG: Bool { unsafe layout?.arrangement == VF_ARRANGEMENT_JPEG }

  /// Whether pixels can be transparent.
  var hasAlpha: Bool { unsafe layout.map { unsafe $0.has_alpha != 0 } ?? false }

  /// Bits a pixel, to compare formats by; grey comes last, for it leaves the colour out.
  var load: Int {
    guard isReadable, var layout = unsafe layout else { return 32 }
    guard unsafe layout.arrangement != VF_ARRANGEMENT_GREY else { return 100 }
    return unsafe Int(vf_layout_bits_per_pixel(&layout))
  }
}
