#include "uvcsim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

options uvcsim_options;

/// The controller's end is in the kernel. Packets are USB/IP's, in network byte order.
static int controller = -1;
static bool is_unplugged;

enum { COMMAND_SUBMIT = 1, COMMAND_UNLINK = 2, ANSWER_SUBMIT = 3, ANSWER_UNLINK = 4 };
enum { MAX_PACKETS = 128, MICROFRAME = 125 };

/// A packet's place in an isochronous transfer: offset, length, actual length, status.
typedef struct packet {
  uint32_t offset, length, actual, status;
} packet;

/// The host's request for video, waiting for it.
typedef struct request {
  uint32_t number;
  int length, packet_count;
  packet packets[MAX_PACKETS];
  struct request *next;
} request;

static request *first_request, **last_link = &first_request;

/// When the next isochronous transfer ends, in microseconds.
static int64_t transfer_time;

void put16(uint8_t *bytes, unsigned value) {
  bytes[0] = (uint8_t)value;
  bytes[1] = (uint8_t)(value >> 8);
}

void put32(uint8_t *bytes, uint32_t value) {
  put16(bytes, value);
  put16(bytes + 2, value >> 16);
}

uint32_t get32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000) + time.tv_nsec / 1000;
}

// MARK: The connection

static void send_all(const void *bytes, size_t count) {
  for (const char *next = bytes; count;) {
    ssize_t sent = write(controller, next, count);
    if (sent <= 0) {
      is_unplugged = true;
      return;
    }
    next += sent;
    count -= (size_t)sent;
  }
}

static bool receive_all(void *bytes, size_t count) {
  for (char *next = bytes; count;) {
    ssize_t received = read(controller, next, count);
    if (received <= 0) {
      is_unplugged = true;
      return false;
    }
    next += received;
    count -= (size_t)received;
  }
  return true;
}

/// Answers a request with `count` bytes. `actual` is how much of the transfer was done: for what
/// the host sent, without bytes in the answer.
static void answer(uint32_t number, int status, const void *bytes, int count, int actual,
                   int packet_count, const packet *packets) {
  uint32_t header[12] = {htonl(ANSWER_SUBMIT),
                         htonl(number),
                         0,
                         0,
                         0,
                         htonl((uint32_t)status),
                         htonl((uint32_t)actual),
                         0,
                         htonl((uint32_t)packet_count)};
  send_all(header, sizeof header);
  if (count)
    send_all(bytes, (size_t)count);
  if (packet_count)
    send_all(packets, (size_t)packet_count * sizeof *packets);
}

// MARK: Requests

static void remove_request(request **link) {
  request *gone = *link;
  *link = gone->next;
  if (!gone->next)
    last_link = link;
  free(gone);
}

static void answer_isochronous(request *request) {
  static uint8_t bytes[MAX_PACKETS * ISOCHRONOUS_PAYLOAD];
  int count = 0;
  for (int i = 0; i < request->packet_count; i += 1) {
    packet *packet = &request->packets[i];
    int capacity = (int)ntohl(packet->length), length = 0;
    // Packets stay empty until the next frame is due.
    if (has_frame())
      length = make_payload(bytes + count,
                            capacity < ISOCHRONOUS_PAYLOAD ? capacity : ISOCHRONOUS_PAYLOAD);
    packet->actual = htonl((uint32_t)length);
    packet->status = 0;
    count += length;
  }
  answer(request->number, 0, bytes, count, count, request->packet_count, request->packets);
}

/// Answers the waiting requests as far as their time has come.
static void pump(void) {
  static uint8_t bytes[BULK_PAYLOAD];
  while (first_request) {
    request *request = first_request;
    if (uvcsim_options.isochronous) {
      int64_t time = now();
      if (time < transfer_time)
        return;
      // What is long overdue isn't made up for.
      if (transfer_time < time - 50000)
        transfer_time = time;
      transfer_time += request->packet_count * MICROFRAME;
      answer_isochronous(request);
    } else {
      if (!has_frame())
        return;
      int count =
          make_payload(bytes, request->length < BULK_PAYLOAD ? request->length : BULK_PAYLOAD);
      answer(request->number, 0, bytes, count, count, 0, NULL);
    }
    remove_request(&first_request);
  }
}

static void submit_control(uint32_t number, const uint8_t *setup, const uint8_t *data, int length) {
  uint8_t bytes[1024];
  int count = handle_control(setup, data, length, bytes);
  if (count > length)
    count = length;
  if (count < 0)
    answer(number, -EPIPE, NULL, 0, 0, 0, NULL);
  else if (setup[0] & 0x80)
    answer(number, 0, bytes, count, count, 0, NULL);
  else
    answer(number, 0, NULL, 0, length, 0, NULL);
}

static bool submit(const uint32_t header[12]) {
  uint32_t number = ntohl(header[1]);
  bool is_in = ntohl(header[3]), is_control = !ntohl(header[4]);
  int length = (int)ntohl(header[6]), packet_count = (int)ntohl(header[8]);
  uint8_t data[4096] = {0};
  if (!is_in && length > 0) {
    if (length > (int)sizeof data || !receive_all(data, (size_t)length))
      return false;
  }
  if (is_control) {
    submit_control(number, (const uint8_t *)&header[10], data, length);
    return true;
  }
  // Bulk transfers have -1 packets.
  if (packet_count < 0)
    packet_count = 0;
  if (packet_count > MAX_PACKETS)
    return false;
  request *request = calloc(1, sizeof *request);
  *request = (struct request){.number = number, .length = length, .packet_count = packet_count};
  *last_link = request;
  last_link = &request->next;
  return !packet_count ||
         receive_all(request->packets, (size_t)packet_count * sizeof *request->packets);
}

static void unlink_request(const uint32_t header[12]) {
  uint32_t number = ntohl(header[5]);
  int32_t status = 0;
  for (request **link = &first_request; *link; link = &(*link)->next) {
    if ((*link)->number == number) {
      remove_request(link);
      status = -ECONNRESET;
      break;
    }
  }
  uint32_t reply[12] = {htonl(ANSWER_UNLINK), header[1], 0, 0, 0, htonl((uint32_t)status)};
  send_all(reply, sizeof reply);
}

static bool receive(void) {
  uint32_t header[12];
  if (!receive_all(header, sizeof header))
    return false;
  switch (ntohl(header[0])) {
  case COMMAND_SUBMIT:
    return submit(header);
  case COMMAND_UNLINK:
    unlink_request(header);
    return true;
  default:
    return false;
  }
}

// MARK: Start

/// Plugs the camera in: gives the controller one end of a pair of sockets.
static bool plug_in(void) {
  static const char attach[] = "/sys/devices/platform/vhci_hcd.0/attach";
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    perror("uvcsim: socketpair");
    return false;
  }
  // Port, socket, device number, high speed.
  char words[64];
  int count =
      snprintf(words, sizeof words, "%d %d %u 3", uvcsim_options.port, sockets[1], 0x10002u);
  int file = open(attach, O_WRONLY);
  bool is_attached = file >= 0 && write(file, words, (size_t)count) == count;
  // The controller may still be clearing its port of the camera before.
  for (int i = 0; file >= 0 && !is_attached && i < 100; i += 1) {
    usleep(50000);
    is_attached = write(file, words, (size_t)count) == count;
  }
  if (!is_attached) {
    perror("uvcsim: attaching to vhci_hcd");
    return false;
  }
  close(file);
  close(sockets[1]);
  controller = sockets[0];
  fprintf(stderr, "uvcsim: plugged in (%s)\n", uvcsim_options.isochronous ? "isochronous" : "bulk");
  return true;
}

static int usage(void) {
  fprintf(stderr, "usage: uvcsim [-i] [-n FRAMES] [-t N] [-e N] [-s WIDTH] [-p PORT] JPEG ...\n"
                  "Plugs in a USB camera that shows the JPEG files of the size asked for in turn.\n"
                  "  -i  isochronous transfers instead of bulk\n"
                  "  -n  unplug after this many frames\n"
                  "  -t  cut every Nth frame short\n"
                  "  -e  set the error bit in every Nth frame\n"
                  "  -s  get stuck in the middle of a JPEG frame of this width\n"
                  "  -p  the controller's port (default: 0)\n");
  return 64;
}

int main(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "in:t:e:s:p:")) != -1;) {
    switch (option) {
    case 'i':
      uvcsim_options.isochronous = true;
      break;
    case 'n':
      uvcsim_options.unplug_after = atoi(optarg);
      break;
    case 't':
      uvcsim_options.truncate_every = atoi(optarg);
      break;
    case 'e':
      uvcsim_options.error_every = atoi(optarg);
      break;
    case 's':
      uvcsim_options.stuck_width = atoi(optarg);
      break;
    case 'p':
      uvcsim_options.port = atoi(optarg);
      break;
    default:
      return usage();
    }
  }
  if (optind == count)
    return usage();
  for (int i = optind; i < count; i += 1) {
    if (!add_picture(arguments[i]))
      return 1;
  }
  make_descriptors();
  reset_parameters();
  if (!plug_in())
    return 1;

  while (!is_unplugged) {
    struct pollfd descriptor = {.fd = controller, .events = POLLIN};
    int timeout = -1;
    if (first_request) {
      int64_t left = (uvcsim_options.isochronous ? transfer_time : video_due()) - now();
      timeout = left < 0 ? 0 : left > 1000000 ? 1000 : (int)((left + 999) / 1000);
    }
    if (poll(&descriptor, 1, timeout) < 0 || (descriptor.revents && !receive()))
      break;
    pump();
  }
  fprintf(stderr, "uvcsim: the host closed the connection\n");
  if (uvcsim_options.unplug_after)
    return 0;
  // A camera that hung until the host gave it up starts anew.
  execv("/proc/self/exe", arguments);
  perror("uvcsim: starting anew");
  return 1;
}
