// SPDX-License-Identifier: MIT
// A `.wasm` whose memory is exhausted soon.

const memorySection = 5;

/** The module with at most so many pages of 64 KiB. */
export function withMemoryLimit(wasm, pages) {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at];
    const { value: size, next } = readNumber(wasm, at + 1);
    if (id === memorySection)
      return Uint8Array.from([
        ...wasm.subarray(0, at),
        ...limitedSection(wasm, next, pages),
        ...wasm.subarray(next + size),
      ]);
    at = next + size;
  }
  throw new Error('the module has no memory of its own');
}

// One memory, with a limit, of so many pages at first.
function limitedSection(wasm, at, pages) {
  const { value: initial } = readNumber(wasm, at + 2);
  const body = [1, 1, ...numberBytes(initial), ...numberBytes(pages)];
  return [memorySection, ...numberBytes(body.length), ...body];
}

function readNumber(bytes, at) {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next];
    next += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, next };
  }
}

function numberBytes(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...numberBytes(value >> 7)];
}
