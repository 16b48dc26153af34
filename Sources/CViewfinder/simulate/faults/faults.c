#include "simulate/faults/faults.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

// A script longer than this is a mistake.
#define FAULTS 1024u
// Past all frame numbers.
#define ENDLESS ((uint64_t)UINT32_MAX + 1)

static const char *const kinds[VF_SIM_FAULT_KINDS] = {
    [VF_SIM_FAULT_UNPLUG] = "unplug",     [VF_SIM_FAULT_STALL] = "stall",
    [VF_SIM_FAULT_EIO] = "eio",           [VF_SIM_FAULT_ERROR] = "error",
    [VF_SIM_FAULT_TRUNCATE] = "truncate", [VF_SIM_FAULT_CORRUPT] = "corrupt",
    [VF_SIM_FAULT_DROP] = "drop",         [VF_SIM_FAULT_FORMAT] = "format",
    [VF_SIM_FAULT_BLACK] = "black"};

// Reads a whole number; 0 when there is none or it is past all frames.
static int number(const char **at, const char *end, uint64_t *value) {
  const char *start = *at;
  *value = 0;
  for (; *at < end && isdigit((unsigned char)**at); ++*at) {
    *value = *value * 10 + (uint64_t)(**at - '0');
    if (*value > UINT32_MAX)
      return 0;
  }
  return *at > start;
}

// Reads seconds, with a decimal point whatever the locale.
static int seconds(const char **at, const char *end, double *value) {
  const char *start = *at;
  double scale = 1;
  *value = 0;
  for (int fraction = 0; *at < end; ++*at) {
    if (**at == '.' && !fraction) {
      fraction = 1;
      continue;
    }
    if (!isdigit((unsigned char)**at))
      break;
    if (fraction)
      scale /= 10;
    *value = fraction ? *value + (**at - '0') * scale : *value * 10 + (**at - '0');
  }
  return *at > start && *value <= 1e6;
}

// One word of a script: KIND@FIRST[-LAST][/EVERY][:SECONDS].
static int parse(const char *at, const char *end, vf_sim_fault *fault) {
  *fault = (vf_sim_fault){.every = 1, .seconds = -1, .fired = UINT64_MAX};
  const char *sign = memchr(at, '@', (size_t)(end - at));
  if (!sign)
    return 0;
  int kind = 0;
  while (kind < VF_SIM_FAULT_KINDS && (strlen(kinds[kind]) != (size_t)(sign - at) ||
                                       memcmp(kinds[kind], at, (size_t)(sign - at)) != 0))
    kind++;
  if (kind == VF_SIM_FAULT_KINDS)
    return 0;
  fault->kind = (vf_sim_fault_kind)kind;
  at = sign + 1;
  if (!number(&at, end, &fault->first))
    return 0;
  fault->last = fault->first;
  int ranges = at < end && *at == '-';
  if (ranges) {
    at++;
    if (!number(&at, end, &fault->last) || fault->last < fault->first)
      return 0;
  }
  if (at < end && *at == '/') {
    at++;
    if (!number(&at, end, &fault->every) || fault->every == 0)
      return 0;
    if (!ranges)
      fault->last = ENDLESS;
  }
  if (at < end && *at == ':') {
    at++;
    if (!seconds(&at, end, &fault->seconds))
      return 0;
  }
  return at == end;
}

void vf_sim_script_free(vf_sim_script *script) {
  free(script->faults);
  *script = (vf_sim_script){0};
}

int vf_sim_script_read(const char *words, vf_sim_script *script, vf_failure *failure) {
  *script = (vf_sim_script){0};
  for (const char *at = words; *at;) {
    size_t length = strcspn(at, ";,");
    const char *start = at, *end = at + length;
    at = *end ? end + 1 : end;
    while (start < end && isspace((unsigned char)*start))
      start++;
    while (end > start && isspace((unsigned char)end[-1]))
      end--;
    if (start == end)
      continue;
    vf_sim_fault fault;
    if (script->count == FAULTS || !parse(start, end, &fault)) {
      int many = script->count == FAULTS;
      vf_sim_script_free(script);
      int shown = end - start > 80 ? 80 : (int)(end - start);
      return many ? vf_fail(failure, EINVAL, "faults", "more than %u", FAULTS)
                  : vf_fail(failure, EINVAL, "faults", "\"%.*s\"", shown, start);
    }
    vf_sim_fault *grown = realloc(script->faults, (script->count + 1) * sizeof *grown);
    if (!grown) {
      vf_sim_script_free(script);
      return vf_fail(failure, ENOMEM, "faults", NULL);
    }
    script->faults = grown;
    script->faults[script->count++] = fault;
  }
  return 0;
}

int vf_sim_script_add(vf_sim_script *script, const vf_sim_script *added, uint32_t sequence,
                      vf_failure *failure) {
  if (added->count > FAULTS - script->count)
    return vf_fail(failure, EINVAL, "faults", "too many");
  if (!added->count)
    return 0;
  vf_sim_fault *grown = realloc(script->faults, (script->count + added->count) * sizeof *grown);
  if (!grown)
    return vf_fail(failure, ENOMEM, "faults", NULL);
  script->faults = grown;
  for (uint32_t i = 0; i < added->count; i++) {
    grown[script->count] = added->faults[i];
    grown[script->count++].waits = added->faults[i].last < sequence;
  }
  return 0;
}

int vf_sim_strikes(vf_sim_script *script, vf_sim_fault_kind kind, uint32_t sequence,
                   double *length) {
  for (uint32_t i = 0; i < script->count; i++) {
    vf_sim_fault *fault = &script->faults[i];
    if (fault->kind != kind || fault->waits || sequence < fault->first || sequence > fault->last)
      continue;
    if ((sequence - fault->first) % fault->every != 0 || fault->fired == sequence)
      continue;
    fault->fired = sequence;
    *length = fault->seconds;
    return 1;
  }
  return 0;
}

void vf_sim_age_faults(vf_sim_script *script, uint32_t sequence, int starts) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < script->count; i++) {
    vf_sim_fault fault = script->faults[i];
    if (starts) {
      // One that struck at its last frame (an unplug, say) has done its work.
      if (fault.fired == fault.last)
        continue;
      fault.waits = 0;
      fault.fired = UINT64_MAX;
    } else if (!fault.waits && fault.last < sequence) {
      continue;
    }
    script->faults[kept++] = fault;
  }
  script->count = kept;
}

void vf_sim_damage(vf_sim_frame *frame, uint32_t kinds, uint32_t seed, uint32_t sequence) {
  if (kinds & 1u << VF_SIM_FAULT_CORRUPT && frame->used > 64) {
    // A run of bytes in the second half: past a JPEG's headers, as when USB packets get lost.
    uint32_t start = frame->used / 2, length = frame->used / 16 + 16;
    uint64_t state = ((uint64_t)seed << 32 | sequence) * 2654435769u + 1;
    for (uint32_t i = 0; i < length; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      frame->bytes[start + i] = (uint8_t)(state >> 56);
    }
    // Random bytes might happen to be possible Huffman codes; a start-of-frame marker isn't.
    frame->bytes[start + length / 2] = 0xFF;
    frame->bytes[start + length / 2 + 1] = 0xC0;
    frame->picture = 0;
  }
  if (kinds & 1u << VF_SIM_FAULT_TRUNCATE) {
    frame->used /= 2;
    frame->picture = 0;
  }
}
