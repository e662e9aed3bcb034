// SPDX-License-Identifier: MIT
// Text broken into lines that fit.

/** At most `most` lines, broken between words where that is possible; the last says with "…" that there was more. */
export function wrapped(text: string, most: number, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < most) {
    const letters = fitting(rest, fits);
    if (letters === rest.length) return [...lines, rest];
    const last = lines.length === most - 1;
    const space = rest.lastIndexOf(' ', letters);
    const end = last || space <= 0 ? Math.max(letters, 1) : space;
    lines.push(last ? shortened(rest, letters, fits) : rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

// How many of the first letters fit, by halving.
function fitting(text: string, fits: (line: string) => boolean): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function shortened(text: string, letters: number, fits: (line: string) => boolean): string {
  for (let length = letters; length > 0; length -= 1) {
    const line = `${text.slice(0, length)}…`;
    if (fits(line)) return line;
  }
  return '';
}
