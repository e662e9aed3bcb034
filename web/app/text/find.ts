// SPDX-License-Identifier: MIT
// What the reader looks for, read from what was typed: `doc 4325`, `window 412`, `len>2000`.

export type Wanted =
  | { readonly kind: 'document'; readonly document: number }
  | { readonly kind: 'window'; readonly window: number }
  | { readonly kind: 'length'; readonly least: number; readonly most: number };

const most = 0xffffffff;

/** Undefined where it says nothing that could be found. A number alone is a document. */
export function wanted(typed: string): Wanted | undefined {
  const text = typed.trim().toLowerCase().replaceAll(',', '');
  const [, what, number] = text.match(/^(?:(d|doc|document|w|win|window)\s*)?(\d{1,10})$/) ?? [];
  if (number !== undefined) {
    const value = Number(number);
    return what?.startsWith('w') ? { kind: 'window', window: value } : { kind: 'document', document: value };
  }
  const [, sign, bound] = text.match(/^(?:len|length)\s*(>=|<=|>|<|=)\s*(\d{1,10})$/) ?? [];
  return bound === undefined ? undefined : lengthsOf(sign as Sign, Number(bound));
}

type Sign = '>' | '<' | '>=' | '<=' | '=';

function lengthsOf(sign: Sign, bound: number): Wanted {
  const [least, greatest] = {
    '>': [bound + 1, most],
    '>=': [bound, most],
    '<': [0, bound - 1],
    '<=': [0, bound],
    '=': [bound, bound],
  }[sign] as [number, number];
  return { kind: 'length', least, most: greatest };
}
