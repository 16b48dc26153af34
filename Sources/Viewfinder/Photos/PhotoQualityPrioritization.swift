extension CapturePhotoOutput {
  /// What matters more where a photo can be made faster or better; Apple's
  /// `AVCapturePhotoOutput.QualityPrioritization`.
  ///
  /// It decides how a picture is pulled straight (``PhotoCrop/rectifiedSize``). Other photos are the same with
  /// all of them.
  public enum QualityPrioritization: Int, Hashable, Sendable, CaseIterable {
    /// To be done soon: where the picture shrinks to no less than half its size, each pixel is interpolated
    /// between its four neighbours, so that fine detail may flicker.
    case speed = 1
    /// Both: each pixel is the mean of the area that it covers, which is as sharp as can be without
    /// new patterns. It takes up to twice as long.
    case balanced = 2
    /// The best picture: as `.balanced`, and made of all pixels of the original.
    case quality = 3
  }
}
