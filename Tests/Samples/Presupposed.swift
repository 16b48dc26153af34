// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What samples use and don't declare; a name means the same in all of them. Samples are only compiled:
// nothing here does anything.

import Foundation
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker

// MARK: A camera

public var camera: CaptureDevice { fatalError() }
public let session = CaptureSession()
public let photoOutput = CapturePhotoOutput()
public let videoOutput = CaptureVideoDataOutput()
public let encoder = FrameEncoder()
public nonisolated(unsafe) var settings = CapturePhotoSettings()
public var photo: CapturePhoto { fatalError() }

// MARK: A library and a picker

public var library: PhotoLibrary { fatalError() }
public let configuration = ImagePicker.Configuration()
public var presenter: any ImagePickerPresenter { fatalError() }

// MARK: The program around them

/// A view that shows the camera's picture.
public let view = CGRect.null
public let detectedCorners: [CGPoint] = []
public let url = URL(fileURLWithPath: "photo.jpg")
public let destination = URL(fileURLWithPath: "card.jpg")
public let folder = URL(fileURLWithPath: "photos")
public let tomorrow = Date()
public func show(_ picture: PixelBuffer) {}
public func send(_ jpeg: Data) {}
public func update(_ removals: [Int], _ insertions: [Int], _ moves: [AssetListChange.Move]) {}
