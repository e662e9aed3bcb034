// SPDX-License-Identifier: MIT
// The core's names as JavaScript writes them. Options and counts become camelCase; arrays keep the names that
// trainers know.

// Every call converts the same few; wrong ones must not pile up.
function remembered(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size > 500) known.clear();
    const converted = convert(name);
    known.set(name, converted);
    return converted;
  };
}

/** `context_length` as `contextLength`. */
export const camelCase = remembered((name) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

/** `contextLength` as `context_length`. */
export const snakeCase = remembered((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** A plain object with its keys in camelCase, at every depth. */
export function camelCaseKeys(from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(from).map(([name, value]) => {
    const isObject = typeof value === 'object' && value !== null;
    return [camelCase(name), isObject ? camelCaseKeys(value as Record<string, unknown>) : value];
  });
  return Object.fromEntries(entries);
}

// Names that are options and arrays both. Before "=" or " is" they are the option.
const arrayNames = new Set(['position_ids', 'cu_seqlens', 'labels']);

/** A message of the core with the options in it called as JavaScript calls them. */
export function messageInCamelCase(message: string, optionNames: ReadonlySet<string>): string {
  const known = message.replace(/\b[a-z]+(?:_[a-z]+)+\b(?=(=| is )?)/g, (name: string, after?: string) => {
    const isOption = optionNames.has(name) && (after !== undefined || !arrayNames.has(name));
    return isOption ? camelCase(name) : name;
  });
  return known.replace(/(?<=no option )'\w+'/, camelCase);
}
