/// What tests ask the page.
enum Script {
  static let isShown = """
    const live = document.getElementById("live");
    const p = live.shadowRoot.querySelector("img");
    return p && !p.hidden && p.naturalWidth > 0;
    """

  /// Whether the live picture's pixels differ from those of the call before.
  static let hasChanged = """
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [64, 48];
    const context = canvas.getContext("2d");
    const live = document.getElementById("live");
    context.drawImage(live.shadowRoot.querySelector("img"), 0, 0, 64, 48);
    const pixels = context.getImageData(0, 0, 64, 48).data.join();
    const before = window.pixelsBefore;
    window.pixelsBefore = pixels;
    return before !== undefined && before !== pixels;
    """

  /// What the page says in place of the picture.
  static let words = """
    const [banner, none] = ["banner", "none"].map(id => document.getElementById(id));
    return [banner, none].filter(e => !e.hidden && e.textContent).map(e => e.innerText).join("\\n")
    """

  /// Whether the page is in one of its states: "live", "none", "lost", "offline", "full" and others.
  static func mode(_ mode: String) -> String {
    "return document.body.dataset.mode === '\(mode)'"
  }

  static let canShoot = "return !document.getElementById('shutter').disabled"

  static func photos(_ count: Int) -> String {
    "return document.querySelectorAll('#photos img').length === \(count)"
  }

  static func clients(_ count: Int) -> String {
    "return fetch('/stats.json').then(a => a.json()).then(r => r.clients === \(count))"
  }

  /// Where the guide is on the page, once it is.
  static let guide = """
    const live = document.getElementById("live");
    const guide = live.shadowRoot.querySelector(".guide");
    if (!guide?.hasAttribute("width") || !live.outline) return null;
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
    return [...document.querySelectorAll("button, a")].filter(e => {
      if (!e.checkVisibility()) return false;
      const r = e.getBoundingClientRect();
      return r.width < 44 || r.height < 44;
    }).map(e => e.outerHTML);
    """
}
