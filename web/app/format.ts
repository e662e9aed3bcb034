// SPDX-License-Identifier: MIT
// Numbers as people read them. Nothing here rounds a share up to a whole that it is not.

/** 1234567 -> "1,234,567", the same in every locale. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** 12,345,678 -> "12.3M": for places too narrow for all digits. */
export function shortCount(value: number): string {
  if (value < 10_000) return count(value);
  const [unit, size] =
    value < 1e6 ? (['k', 1e3] as const) : value < 1e9 ? (['M', 1e6] as const) : (['B', 1e9] as const);
  const scaled = value / size;
  return `${scaled < 100 ? (Math.floor(scaled * 10) / 10).toFixed(1) : count(Math.floor(scaled))}${unit}`;
}

/**
 * A share in percent, cut and not rounded, so that 0.99997 never reads "100%". It shows as many digits as it takes
 * to tell it from the whole, at most four.
 */
export function percent(share: number, digits = 1): string {
  if (share >= 1) return '100%';
  if (share <= 0) return '0%';
  const hundredths = share * 100;
  for (let places = digits; places < 4; places += 1) {
    const text = cut(hundredths, places);
    if (!/^(99\.9*|0\.0*)$/.test(text)) return `${text}%`;
  }
  return `${cut(hundredths, 4)}%`;
}

function cut(value: number, places: number): string {
  const scale = 10 ** places;
  // A share such as 0.29 is 28.999999999999996 hundredths: what is that close to the next step belongs to it.
  return (Math.floor(value * scale + 1e-7) / scale).toFixed(places);
}

/** 6.12 -> "6.1×" */
export function times(factor: number): string {
  return `${factor < 10 ? factor.toFixed(1) : count(factor)}×`;
}

/** "1 window", "2 windows" */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function byteSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const scaled = bytes / 2 ** (10 * power);
  return `${power === 0 || scaled >= 100 ? count(scaled) : scaled.toFixed(1)} ${units[power]}`;
}

export function milliseconds(value: number): string {
  if (value < 1) return '< 1 ms';
  if (value < 1000) return `${value < 10 ? value.toFixed(1) : count(value)} ms`;
  return `${(value / 1000).toFixed(1)} s`;
}
