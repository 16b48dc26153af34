/// What tests ask the page.
enum Script {
  static let isShown = """
    const p = document.querySelector("viewfinder-live > img");
    return p && !p.hidden && p.naturalWidth > 0;
    """

  /// Whether the live picture's pixels differ from those of the call before.
  static let hasChanged = """
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [64, 48];
    const context = canvas.getContext("2d");
    context.drawImage(document.querySelector("viewfinder-live > img"), 0, 0, 64, 48);
    const pixels = context.getImageData(0, 0, 64, 48).data.join();
    const before = window.pixelsBefore;
    window.pixelsBefore = pixels;
    return before !== undefined && before !== pixels;
    """

  /// What the page says in place of the picture.
  static let words = "return document.querySelector('viewfinder-live > p').textContent"

  static let canShoot = "return !document.getElementById('shutter').disabled"

  static func photos(_ count: Int) -> String {
    "return document.querySelectorAll('#photos img').length === \(count)"
  }

  static func clients(_ count: Int) -> String {
    "return fetch('/stats.json').then(a => a.json()).then(r => r.clients === \(count))"
  }

  /// Where the guide is on the page, once it is.
  static let guide = """
    const guide = document.querySelector("viewfinder-live .guide");
    if (!guide?.hasAttribute("width") || !document.getElementById("live").outline) return null;
    const r = guide.getBoundingClientRect();
    return r.width > 0 ? [r.x, r.y, r.width, r.height] : null;
    """

  /// The newest photo as a PNG, in Base64.
  static let photoFile = """
    const photo = document.querySelector("#photos img");
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [photo.naturalWidth, photo.naturalHeight];
    canvas.getContext("2d").drawImage(photo, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
    """

  static let smallTargets = """
    return [...document.querySelectorAll("button, .choice, a")].filter(e => {
      const r = e.getBoundingClientRect();
      return r.width < 44 || r.height < 44;
    }).map(e => e.outerHTML);
    """
}
