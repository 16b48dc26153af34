// An album: its grid, what is selected there, and the asset that is shown in full.

import { ask } from "/ui/picker-actions.js";
import { addressOf, replaceAsset, wanted } from "/address.js";
import { Assets } from "/assets.js";
import { Grid } from "/grid.js";
import { complain, tell } from "/messages.js";
import { Selection } from "/selection.js";
import { Viewer } from "/viewer.js";
import { counts } from "/words.js";

const element = (id) => document.getElementById(id);

export class AlbumPage {
  #assets = new Assets();
  #grid = new Grid(element("main"), element("grid"), this.#assets);
  #selection = new Selection(this.#grid);
  #viewer = new Viewer(element("viewer"));
  /// Where each album was left: the asset at the top.
  #left = new Map();
  #isWhole = false;
  /// What the album says of itself; null while none is shown.
  album = null;

  constructor() {
    this.#grid.addEventListener("choose", ({ detail }) => this.#choose(detail));
    this.#assets.addEventListener("load", () => this.showAsset());
    this.#assets.addEventListener("problem", ({ detail }) => complain(detail));
    this.#selection.addEventListener("done", ({ detail }) => tell(detail));
    this.#selection.addEventListener("problem", ({ detail }) => complain(detail));
    this.#viewer.addEventListener("step", ({ detail }) => this.#step(detail));
    this.#viewer.addEventListener("close", ({ detail }) => this.#closed(detail));
    this.#viewer.addEventListener("trash", ({ detail }) =>
      this.#selection.trash([detail]).then(tell, ({ message }) => this.#viewer.say(message)));
  }

  /// Begins with an album, of which nothing is known yet; or with none.
  begin(id) {
    if (this.album) this.#left.set(this.album.id, this.#topAsset);
    this.album = id ? { id } : null;
    this.#viewer.close();
    this.#selection.begin(this.album);
    this.#assets.begin({ id: null, count: 0 });
    this.#grid.begin();
    element("none").hidden = true;
    element("delete-album").hidden = true;
  }

  /// The asset that is to be in sight when the list begins anew.
  get anchor() {
    return wanted().asset ?? this.#topAsset ?? this.#left.get(this.album?.id);
  }

  /// The first asset in sight, unless that is the first of all: there people want to see what is new.
  get #topAsset() {
    const place = this.#grid.firstInSight;
    return place > 0 ? this.#assets.at(place)?.id : undefined;
  }

  /// Asks what the album says of itself.
  async refresh() {
    const album = this.album;
    const report = await ask(`/albums/${album.id}`);
    if (this.album !== album) return;
    const isNew = !album.kind;
    Object.assign(album, report);
    document.title = element("title").textContent = album.name;
    element("subtitle").textContent = counts(album);
    element("delete-album").hidden = album.kind !== "made";
    if (isNew) this.#selection.begin(album);
    this.#showNone();
  }

  // MARK: What the program tells

  /// Says whether anything may be changed, and whether all folders have been looked at.
  allow(canSave, isWhole) {
    this.#viewer.canSave = canSave;
    this.#isWhole = isWhole;
    this.#showNone();
  }

  /// Shows a list from its beginning, or follows what became of the one that is shown.
  follow(list) {
    if (!list.change) {
      this.#assets.begin(list);
      this.#grid.begin(list.anchor ?? 0);
    } else {
      // What is gone isn't selected any more.
      for (const place of list.change.removals) this.#selection.forget(this.#assets.at(place)?.id);
      const place = this.#assets.placeOf(this.#viewer.id);
      const places = this.#assets.apply(list);
      this.#grid.follow(places);
      if (place >= 0 && places.after(place) === undefined) this.#replace(place);
    }
    this.#showNone();
    this.showAsset();
  }

  #showNone() {
    const none = element("none");
    none.hidden = !this.album || this.#assets.count > 0 || !this.#isWhole;
    none.textContent = this.album?.kind === "made"
      ? "Nothing is in this album yet. Select photos elsewhere and add them, or take one."
      : "There is no photo here yet. The camera takes one.";
  }

  // MARK: The asset in full

  /// Shows what the address names, as soon as it is known.
  showAsset() {
    const { album, asset } = wanted();
    if (!asset) return this.#viewer.close();
    const place = this.#assets.placeOf(asset);
    if (album !== this.album?.id || place < 0) return;
    this.#viewer.move(place, this.#assets.count);
    this.#viewer.show(this.#assets.at(place));
    // The neighbours are asked for before they are wanted.
    this.#assets.want(place - 1, place + 1);
  }

  #choose(place) {
    const { id } = this.#assets.at(place);
    if (this.#selection.isOn) this.#selection.toggle(id);
    else location.hash = addressOf(this.album.id, id);
  }

  #step(step) {
    const item = this.#assets.at(this.#assets.placeOf(this.#viewer.id) + step);
    if (!item) return;
    replaceAsset(this.album.id, item.id);
    this.showAsset();
  }

  /// The asset in full is gone: shows the one that has its place now.
  #replace(place) {
    const item = this.#assets.at(Math.min(place, this.#assets.count - 1));
    replaceAsset(this.album.id, item?.id);
  }

  /// Back in the grid, where the asset is.
  #closed(id) {
    const { album, asset } = wanted();
    if (asset === id && album === this.album?.id) replaceAsset(album);
    const place = this.#assets.placeOf(id);
    if (place >= 0) this.#grid.focus(place);
  }
}
