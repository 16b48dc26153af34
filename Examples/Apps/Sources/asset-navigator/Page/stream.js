// The photo stream: how it is going, joining and leaving it.

import { make } from "/ui/picker-actions.js";
import { send } from "/events.js";
import { show, submit } from "/sheet.js";
import { StreamPhotos } from "/stream-photos.js";
import { only } from "/words.js";

const share = ({ name, done, size }) =>
  `${name}, ${Math.floor((done / Math.max(size, 1)) * 100).toLocaleString()} %`;

/// What goes on, in one line; empty where nothing does.
export const streamNews = (stream) => {
  if (!stream) return "";
  const { phase, reason, sending, fetching, waiting, wanted } = stream;
  if (phase === "waiting" || phase === "refused") return `Photo stream: ${reason}`;
  return [
    ...(sending ? [`Sending ${share(sending)}`] : []),
    ...(fetching ? [`Receiving ${share(fetching)}`] : []),
    ...(waiting > 1 ? [`${only(waiting)} wait to be sent`] : []),
    ...(wanted > 1 ? [`${only(wanted)} wait to be fetched`] : []),
  ].join(" · ");
};

/// All that is known of it, for the sheet.
const facts = (stream) => [
  stream.person ? `You share photos as ${stream.person}.` : "Asking the server …",
  streamNews(stream) || "All photos are exchanged.",
  `${only(stream.sent)} sent and ${only(stream.received)} received since the program began.`,
  ...stream.problems,
];

let list = null;
let photos = null;

/// Shows how the stream is going, where that is shown; of one that was left there is nothing to show.
export const showStream = (stream) => {
  if (!list?.isConnected) return;
  if (!stream) return list.closest("dialog").close("");
  list.replaceChildren(...facts(stream).map((textContent) => make("li", { textContent })));
  photos.show(stream);
};

const join = async () => {
  const address = make("input", {
    type: "url", required: true, placeholder: "http://192.168.1.5:8090", autocomplete: "off",
  });
  const token = make("input", { type: "password", required: true, autocomplete: "off" });
  const previews = make("input", { type: "checkbox" });
  const answer = await show("Join a photo stream", [
    make("p", {
      textContent: "Photos that come into this library from now on appear on your other devices, and theirs here in the album My Photo Stream.",
    }),
    make("label", {}, "Address of the server", address), make("label", {}, "Your token", token),
    make("label", { className: "choice" }, previews,
      "Get small previews, and a photo when I ask for it"),
  ], [submit("join", "Join", "primary")]);
  if (!answer) return;
  await send("/stream", {
    address: address.value, token: token.value, previews: previews.checked });
};

/// Asks whether to join a stream, or shows the one that was joined.
export const openStream = async (stream) => {
  if (!stream) return join();
  list = make("ul", { role: "list", id: "stream-facts", className: "plain" });
  photos = new StreamPhotos();
  const answer = show("Photo stream", [
    list, photos.element,
    make("p", { className: "quiet", textContent:
      "The stream has each photo for 30 days, and 1,000 at most. Photos that you delete from it stay in the libraries, and those that you delete here stay in the stream." }),
  ], [submit("leave", "Leave the stream")], "Close");
  showStream(stream);
  if (await answer === "leave") await send("/stream/leave");
};
