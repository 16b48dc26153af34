// How things are said.

const some = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/// "12 photos, 1 video".
export const counts = ({ photos, videos, others }) =>
  [
    some(photos, "photo", "photos"), some(videos, "video", "videos"),
    ...(others ? [some(others, "unreadable file", "unreadable files")] : []),
  ].join(", ");

/// "1 photo".
export const only = (count) => some(count, "photo", "photos");

export const photos = (count) => some(count, "photo or video", "photos and videos");

/// When a picture was taken, by the camera's own clock, whose zone nobody may know.
export const when = (seconds) =>
  new Date(seconds * 1000).toLocaleString(undefined, {
    dateStyle: "long", timeStyle: "short", timeZone: "UTC",
  });

/// "1:05".
export const length = (seconds) => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

/// "2.4 MB".
export const size = (bytes) => {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** step;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: step ? 1 : 0 })} ${units[step]}`;
};

export const roles = {
  original: "Original", edited: "Edited", burst: "From the burst", raw: "Raw",
};

/// What is read aloud of an asset in a grid.
export const label = ({ name, isVideo, taken, problem }) =>
  [
    `${isVideo ? "Video" : "Photo"} ${name}`, ...(taken ? [when(taken)] : []),
    ...(problem ? [problem] : []),
  ].join(", ");
