// The geometry of a crop: a frame on a picture that is turned by quarters, mirrored, and straightened.
//
// A picture is turned clockwise, then mirrored left to right, then straightened around its middle and enlarged until it fills
// its box again. The frame is in units of that box.

/// The smallest side of a frame.
const least = 0.05;
const card = 85.6 / 53.98;

export class CropFrame {
  constructor(width, height, adjustment = {}) {
    [this.width, this.height] = [width, height];
    this.reset();
    Object.assign(this, adjustment, { rect: { ...this.rect, ...adjustment.rect } });
  }

  reset() { Object.assign(this, { turns: 0, isMirrored: false, angle: 0, shape: "free", rect: { x: 0, y: 0, width: 1, height: 1 } }); }

  /// Whether nothing is done to the picture.
  get isWhole() {
    const { x, y, width, height } = this.rect;
    return !this.turns && !this.isMirrored && !this.angle && x < 0.001 && y < 0.001 && width > 0.999 && height > 0.999;
  }

  /// The box's size, in pixels of the picture.
  get box() { return this.turns % 2 ? [this.height, this.width] : [this.width, this.height]; }

  get radians() { return (this.angle * Math.PI) / 180; }

  /// How much larger the straightened picture is.
  get scale() {
    const [width, height] = this.box;
    const [sine, cosine] = [Math.abs(Math.sin(this.radians)), Math.cos(this.radians)];
    return cosine + sine * Math.max(width / height, height / width);
  }

  /// The frame's proportion, in units of the box; null for any.
  get #ratio() {
    const [width, height] = this.box;
    const lying = (ratio) => (width >= height ? ratio : 1 / ratio);
    const ratio = { original: width / height, square: 1, "4:3": lying(4 / 3), card: lying(card) }[this.shape];
    return ratio ? (ratio * height) / width : null;
  }

  /// Takes a shape, as large as it fits into the frame around its middle.
  take(shape) {
    this.shape = shape;
    const ratio = this.#ratio;
    if (!ratio) return;
    const { x, y, width, height } = this.rect;
    const wide = Math.min(width, height * ratio);
    const high = wide / ratio;
    this.rect = { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
  }

  turn() {
    const { x, y, width, height } = this.rect;
    this.turns = (this.turns + (this.isMirrored ? 3 : 1)) % 4;
    this.rect = { x: 1 - y - height, y: x, width: height, height: width };
  }

  mirror() {
    this.isMirrored = !this.isMirrored;
    this.angle = -this.angle || 0;
    this.rect.x = 1 - this.rect.x - this.rect.width;
  }

  /// Moves the whole frame.
  move(across, down) {
    const { rect } = this;
    rect.x = Math.min(Math.max(rect.x + across, 0), 1 - rect.width);
    rect.y = Math.min(Math.max(rect.y + down, 0), 1 - rect.height);
  }

  /// Moves a corner, such as "nw"; the one across from it stays.
  drag(corner, across, down) {
    const { rect } = this;
    const [isRight, isLow] = [corner.includes("e"), corner.includes("s")];
    const [fixedX, fixedY] = [isRight ? rect.x : rect.x + rect.width, isLow ? rect.y : rect.y + rect.height];
    const [roomX, roomY] = [isRight ? 1 - fixedX : fixedX, isLow ? 1 - fixedY : fixedY];
    let width = Math.min(Math.max(rect.width + (isRight ? across : -across), least), roomX);
    let height = Math.min(Math.max(rect.height + (isLow ? down : -down), least), roomY);
    const ratio = this.#ratio;
    if (ratio) {
      width = Math.min(Math.max(width, height * ratio), roomX, roomY * ratio);
      height = width / ratio;
    }
    this.rect = { x: isRight ? fixedX : fixedX - width, y: isLow ? fixedY : fixedY - height, width, height };
  }

  /// A point of the box on the picture beneath, which is turned and mirrored but not straightened; in units.
  #point(x, y) {
    const [width, height] = this.box;
    const [right, down] = [((x - 0.5) * width) / this.scale, ((y - 0.5) * height) / this.scale];
    const [sine, cosine] = [Math.sin(-this.radians), Math.cos(-this.radians)];
    const unit = (value) => Math.min(Math.max(value + 0.5, 0), 1);
    return [unit((right * cosine - down * sine) / width), unit((right * sine + down * cosine) / height)];
  }

  /// What the library crops the picture to.
  get recipe() {
    const { turns, isMirrored, angle, shape, rect } = this;
    const { x, y, width, height } = rect;
    const recipe = { version: 1, adjustment: { turns, isMirrored, angle, shape, rect } };
    if (angle) {
      const [wide, high] = this.box;
      const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
      recipe.outline = { kind: "quadrilateral", points: corners.map(([right, down]) => this.#point(right, down)) };
      recipe.rectifiedSize = {
        width: Math.max(Math.round((width * wide) / this.scale), 1), height: Math.max(Math.round((height * high) / this.scale), 1),
      };
    } else if (width < 0.999 || height < 0.999) recipe.outline = { kind: "rectangle", x, y, width, height };
    return recipe;
  }
}
