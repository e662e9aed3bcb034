// SPDX-License-Identifier: MIT
// A text as one word of a shell, quoted where it must be.

export const shellWord = (text: string) => (/^[\w.,=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
