// The live page: the shutter, the guide's switch, and the counts.

const [live, name, format, shutter, guide, news, photos, counts] = [
  "live", "name", "format", "shutter", "guide", "news", "photos", "counts",
].map((id) => document.getElementById(id));

const photosShown = 12;
let isRunning = false;
let isBusy = false;
let taken = 0;

const update = () => { shutter.disabled = !isRunning || isBusy; };

const tell = (words, isAlert = false) => {
  news.textContent = words;
  news.classList.toggle("alert", isAlert);
};

live.addEventListener("report", ({ detail: report }) => {
  isRunning = report.state === "running";
  update();
  name.textContent = report.camera ?? "Camera";
  format.textContent = report.format ?? "";
  showCounts(report);
});

const showCounts = ({ framesPerSecond, frames, clients, encodedFrames, encodedBytes }) => {
  const missing = frames.lost + frames.corrupt + frames.starved + frames.late;
  const rows = [
    ["Frames a second", framesPerSecond.toFixed(1)],
    ["Frames", frames.delivered.toLocaleString()],
    ["Lost, damaged or late", missing.toLocaleString()],
    ["Watching", clients.toLocaleString()],
    ["Encoded", encodedFrames.toLocaleString()],
    ["Size of a frame", encodedFrames ? `${Math.round(encodedBytes / encodedFrames / 1000)} kB` : "–"],
  ];
  counts.replaceChildren(...rows.flatMap(([term, value]) => {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = term;
    dd.textContent = value;
    return [dt, dd];
  }));
};

guide.addEventListener("change", () => {
  if (guide.checked) live.setAttribute("guide", "card");
  else live.removeAttribute("guide");
});

shutter.addEventListener("click", async () => {
  isBusy = true;
  update();
  try {
    await takePhoto();
  } catch (error) {
    tell(error.message, true);
  }
  isBusy = false;
  update();
  shutter.focus();
});

const takePhoto = async () => {
  const query = live.outline ? `?${new URLSearchParams({ outline: live.outline })}` : "";
  const answer = await fetch(`/photo.jpg${query}`).catch(() => {
    throw new Error("The server doesn't answer. Try again in a moment.");
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
  await showPhoto(await answer.blob());
};

const showPhoto = async (file) => {
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  await picture.decode();
  taken += 1;
  picture.alt = `Photo ${taken}`;
  const link = document.createElement("a");
  link.href = picture.src;
  link.download = `photo-${taken}.jpg`;
  link.setAttribute("aria-label", `Save photo ${taken}`);
  link.append(picture);
  const item = document.createElement("li");
  item.append(link);
  photos.prepend(item);
  forgetOldest();
  tell(`Photo ${taken}, ${picture.naturalWidth} × ${picture.naturalHeight}. Choose it to save it.`);
};

const forgetOldest = () => {
  while (photos.children.length > photosShown) {
    const oldest = photos.lastElementChild;
    URL.revokeObjectURL(oldest.querySelector("a").href);
    oldest.remove();
  }
};
