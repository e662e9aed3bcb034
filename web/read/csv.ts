// SPDX-License-Identifier: MIT
// Tables of text: comma, semicolon or tab between fields, quotes where a field needs them, names in the first line.

import type { Choice, Column } from './columns.js';
import { chooseColumns, sourceColumn } from './columns.js';
import type { Document } from './documents.js';
import { documentOf } from './json.js';
import { DataError } from './problem.js';
import type { Reading } from './reading.js';
import type { Tokenizer } from './tokenizer.js';

/** Splits a line at its separators; undefined where a quote stays open, so that the next line belongs to it. */
export function fieldsOf(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const letter = line[i] as string;
    if (quoted && letter === '"' && line[i + 1] === '"') {
      field += '"';
      i += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (letter === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += letter;
  }
  return quoted ? undefined : [...fields, field];
}

const separators = [',', '\t', ';'];

/** The separator of a line of names, if it has one. */
export function separatorOf(line: string): string | undefined {
  return separators.find((separator) => line.includes(separator));
}

const isNumber = (text: string) => /^\s*\d+\s*$/.test(text);

/** Lines to documents: the first line has the names, or is data where all of it is numbers. */
export class TableReader {
  readonly #title: string;
  readonly #reading: Reading;
  readonly #tokenizer: Tokenizer;
  readonly #separator: string;
  #names: readonly string[] | undefined;
  #choice: Choice | undefined;
  #open = '';
  source: string | undefined;
  columns: readonly Column[] = [];

  constructor(title: string, reading: Reading, tokenizer: Tokenizer, separator: string) {
    this.#title = title;
    this.#reading = reading;
    this.#tokenizer = tokenizer;
    this.#separator = separator;
  }

  get chosen(): Choice | undefined {
    return this.#choice;
  }

  /** The document that ends with this line; undefined for names and for lines that go on. */
  read(line: string, number: number): Document | undefined {
    const text = this.#open + line;
    const fields = fieldsOf(text, this.#separator);
    if (fields === undefined) {
      this.#open = `${text}\n`;
      return undefined;
    }
    this.#open = '';
    if (this.#names === undefined) {
      const headless = fields.every(isNumber);
      this.#names = headless
        ? fields.map((_, index) => (index === 0 ? 'length' : `column ${index + 1}`))
        : fields.map((name) => name.trim());
      if (!headless) return undefined;
    }
    return this.#document(fields, `${this.#title}, line ${number}`);
  }

  #document(fields: readonly string[], place: string): Document {
    const names = this.#names as readonly string[];
    if (fields.length !== names.length)
      throw new DataError(
        `${place} has ${fields.length} fields, and the first line ${names.length}. Quote fields that hold a separator.`,
      );
    if (this.#choice === undefined) {
      this.columns = names.map((name, index) => ({
        name,
        kind: isNumber(fields[index] as string) ? 'number' : 'text',
      }));
      this.#choice = chooseColumns(this.columns, this.#reading.columns, this.#title);
      this.source = sourceColumn(this.columns, this.#reading.source);
    }
    const { kind } = this.#choice;
    const value = (field: string) => (kind === 'number' && isNumber(field) ? Number(field) : field);
    const record = Object.fromEntries(names.map((name, index) => [name, value(fields[index] as string)]));
    return documentOf(record, this.#choice, this.source, this.#tokenizer, place);
  }
}
