// SPDX-License-Identifier: MIT
// The sentence that the module has for an option, in the words of the page.
import { description } from '../state/store.js';

export const helpOf = (name: string) =>
  inWords(description.value?.options.find((option) => option.name === name)?.help ?? '');

/** The module names values as the program writes them. */
export const inWords = (text: string) =>
  text
    .replaceAll('every context_length tokens', 'at every window length')
    .replaceAll('context_length', 'the window length')
    .replaceAll(/\w+_\w+/g, (name) => name.replaceAll('_', ' '));
