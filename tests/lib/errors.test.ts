// SPDX-License-Identifier: MIT
// Every bad input is a PackscopeError with code, document and remedy.
import { spawnSync } from 'node:child_process';
import * as packscope from 'packscope';
import { createPackscope, materialize, PackscopeError, pack } from 'packscope';
import { describe, expect, test } from 'vitest';

type Fault = [what: string, call: () => unknown, code: string, document?: number | undefined, names?: string];
const any = (value: unknown) => value as never;
const all = createPackscope();

// What is left of an array that was sent to a worker.
function detached<A extends Uint32Array | Int32Array>(array: A): A {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

const documents = [[11, 12, 13], [21, 22], [31]];
const plan = pack(documents, { contextLength: 4 });

function reused(): packscope.Plan {
  const old = pack(documents);
  pack(documents, { reuse: old });
  return old;
}

const faults: Fault[] = [
  ['documents that are a string', () => pack(any('text')), 'invalid_argument'],
  ['documents that are null', () => pack(any(null)), 'invalid_argument'],
  ['documents without anything in them', () => pack(any({})), 'invalid_argument'],
  ['a bare Int32Array', () => pack(any(Int32Array.of(1))), 'invalid_argument'],
  ['detached lengths', () => pack(detached(Uint32Array.of(5))), 'invalid_argument', undefined, 'transferred'],
  ['a detached document', () => pack([[1], detached(Int32Array.of(5))]), 'invalid_argument', 1, 'transferred'],
  ['a document that is a string', () => pack(any([[1], 'text'])), 'invalid_argument', 1],
  ['a hole among documents', () => pack(any([[1], undefined])), 'invalid_argument', 1],
  ['a plan to reuse that is none', () => pack([1], { reuse: any(5) }), 'invalid_argument', undefined, 'reuse is 5'],
  ['a list to reuse', () => pack([1], { reuse: any([plan]) }), 'invalid_argument', undefined, 'reuse is an array'],
  [
    'an array to reuse',
    () => pack([1], { reuse: any(new Uint32Array(3)) }),
    'invalid_argument',
    undefined,
    'Uint32Array',
  ],
  ['a promise of a plan to reuse', () => pack([1], { reuse: any(Promise.resolve(plan)) }), 'invalid_argument'],
  ['a batch to reuse that is none', () => materialize(plan, documents, { reuse: any(null) }), 'invalid_argument'],
  ['a negative length', () => pack([1, -1]), 'invalid_argument', 1, '-1'],
  ['a fractional length', () => pack([1.5]), 'invalid_argument', 0, '1.5'],
  ['a length that is no number', () => pack([Number.NaN]), 'invalid_argument', 0, 'NaN'],
  ['a length above 32 bits', () => pack([2 ** 32]), 'invalid_argument', 0, '4294967296'],
  ['a length above the limit', () => pack(Uint32Array.of(1, 4294967295)), 'too_large', 1, '4294967295'],
  ['a negative id', () => pack([[1], [2, -3]]), 'token_out_of_range', 1, '-3'],
  ['a fractional id', () => pack([[0.5]]), 'token_out_of_range', 0, '0.5'],
  ['an id above 31 bits', () => pack([[2 ** 31]]), 'token_out_of_range', 0, '2147483648'],
  ['an id that is a string', () => pack(any([['1']])), 'token_out_of_range', 0],
  ['an id outside the vocabulary', () => pack([[1, 50]], { vocabSize: 50 }), 'token_out_of_range', 0, 'vocabSize'],
  ['offsets that descend', () => pack({ tokens: [1, 2], offsets: [0, 2, 1, 2] }), 'invalid_argument', 1],
  ['offsets that do not begin at 0', () => pack({ tokens: [1, 2], offsets: [1, 2] }), 'invalid_argument'],
  ['offsets that end elsewhere', () => pack({ tokens: [1, 2], offsets: [0, 1] }), 'length_mismatch'],
  ['no offsets', () => pack({ tokens: [], offsets: [] }), 'invalid_argument'],
  ['too few loss masks', () => pack({ documents, lossMasks: [[1, 1, 1]] }), 'length_mismatch'],
  ['a short loss mask', () => pack({ documents: [[1, 2]], lossMasks: [[1]] }), 'length_mismatch', 0],
  ['a loss mask of 2', () => pack({ documents: [[1, 2]], lossMasks: [[1, 2]] }), 'invalid_argument', 0],
  ['a prompt beyond the document', () => pack({ documents: [[1]], promptLengths: [2] }), 'invalid_argument', 0],
  ['too few prompts', () => pack({ documents, promptLengths: [1] }), 'length_mismatch'],
  ['a field of plain numbers', () => pack({ documents: [[1]], fields: any({ reward: [[1]] }) }), 'invalid_argument'],
  [
    'a field of another length',
    () => pack({ documents: [[1]], fields: { reward: [new Float64Array(2)] } }),
    'length_mismatch',
    0,
  ],
  ['sources that are one name', () => pack({ documents, sources: any('a') }), 'invalid_argument', undefined, 'sources'],
  ['loss masks that are null', () => pack({ documents, lossMasks: any(null) }), 'invalid_argument', undefined, 'null'],
  ['a field that is null', () => pack({ documents, fields: any({ reward: null }) }), 'invalid_argument'],
  [
    'fates of fewer documents than those of the plan',
    () => packscope.documentFates(plan, [[1, 2, 3]]),
    ...(['invalid_argument', 2, 'document 2'] as const),
  ],
  [
    'tokens pushed instead of documents',
    () => packscope.createSession().push(any(Int32Array.of(1))),
    ...(['invalid_argument', undefined, 'a list of documents'] as const),
  ],
  ['a hole among documents pushed', () => packscope.createSession().push(new Array(2)), 'invalid_argument', 0],
  [
    'options that are null',
    () => packscope.stats(plan, documents, any(null)),
    'invalid_argument',
    undefined,
    'options',
  ],
  ['windows that are null', () => packscope.cuSeqlens(plan, { windows: any(null) }), 'invalid_argument'],
  ['too few sources', () => pack({ documents, sources: ['a'] }), 'length_mismatch'],
  ['a source without a name', () => pack({ documents: [[1]], sources: any([null]) }), 'unknown_source', 0],
  [
    'a source that does not exist',
    () => pack({ lengths: [1], sources: { names: ['a'], indices: [1] } }),
    'unknown_source',
    0,
  ],
  ['homogeneity without sources', () => pack([1], { homogeneity: 'full' }), 'unknown_source', 0],
  [
    'a source in no group',
    () => pack({ lengths: [1], sources: ['b'] }, { homogeneity: 'group', groups: { g: ['a'] } }),
    'unknown_source',
  ],
  [
    'a document longer than the window',
    () => pack([5, 50], { contextLength: 8, longDocuments: 'error' }),
    'document_too_long',
    1,
    'longDocuments',
  ],
  ['options that are a number', () => pack([1], any(2048)), 'invalid_argument'],
  ['an option that does not exist', () => pack([1], any({ windowSize: 8 })), 'invalid_option', undefined, 'windowSize'],
  [
    'an option in snake_case',
    () => pack([1], any({ context_length: 8 })),
    'invalid_option',
    undefined,
    'contextLength',
  ],
  ['an option that is a function', () => pack([1], any({ seed: () => 1 })), 'invalid_option', undefined, 'seed'],
  ['a fractional contextLength', () => pack([1], { contextLength: 1.5 }), 'invalid_option', undefined, 'contextLength'],
  ['a contextLength of 0', () => pack([1], { contextLength: 0 }), 'invalid_option', undefined, 'contextLength'],
  ['a huge contextLength', () => pack([1], { contextLength: 2 ** 30 }), 'invalid_option', undefined, 'contextLength'],
  ['an infinite contextLength', () => pack([1], { contextLength: Number.POSITIVE_INFINITY }), 'invalid_option'],
  ['an unknown algorithm', () => pack([1], any({ algorithm: 'magic' })), 'invalid_option', undefined, 'best_fit'],
  ['groups that are a list', () => pack([1], any({ groups: { a: 'b' } })), 'invalid_option', undefined, 'groups'],
  [
    'a misspelt name beside documents',
    () => pack(any({ documents, lossMask: [[1, 1, 0], [1, 1], [0]] })),
    ...(['invalid_argument', undefined, 'lossMasks'] as const),
  ],
  [
    'a misspelt name beside tokens',
    () => pack(any({ tokens: [1], offsets: [0, 1], lossMasks: [1] })),
    'invalid_argument',
  ],
  ['a misspelt name beside lengths', () => pack(any({ lengths: [1], source: ['a'] })), 'invalid_argument'],
  ['records in the place of documents', () => pack(any([{ tokens: [1] }])), 'invalid_argument', 0, 'token ids'],
  ['texts in the place of documents', () => pack(any(['hello'])), 'invalid_argument', 0, "'hello'"],
  ['a misspelt option', () => pack([1], any({ minRooms: 1 })), 'invalid_option', undefined, 'minRooms'],
  ['a misspelt option of stats', () => packscope.stats(plan, documents, any({ contents: true })), 'invalid_option'],
  ['a misspelt option of grouping', () => packscope.groupByLength([1], any({ maxToken: 9 })), 'invalid_option'],
  [
    'a misspelt option of outputs',
    () => packscope.unpack(plan, new Float32Array(8), any({ window: 0 })),
    ...(['invalid_option', undefined, 'windows'] as const),
  ],
  [
    'a misspelt name in a view',
    () => packscope.render(plan, any({ kind: 'rows', window: 1 }), 8, 8),
    ...(['invalid_argument', undefined, 'windows'] as const),
  ],
  ['a histogram with a misspelt name', () => packscope.compare(any({ lengths: [1], count: [2] })), 'invalid_argument'],
  [
    'one window length for several plans',
    () => packscope.compare([1], any({ contextLength: 512 })),
    ...(['invalid_option', undefined, 'contextLengths'] as const),
  ],
  [
    'one window length beside a misspelt list of them',
    () =>
      packscope.compare([1], any({ algorithm: 'pad', algorithms: ['wrap'], contextLength: 8, contextLenghts: [8] })),
    ...(['invalid_option', undefined, 'contextLengths'] as const),
  ],
  ['one algorithm for several plans', () => packscope.compare([1], any({ algorithm: 'wrap' })), 'invalid_option'],
  ...(
    [
      ['contextLength', 8],
      ['bosId', 9],
      ['separatorId', 7],
      ['algorithm', 'wrap'],
      ['homogeneity', 'full'],
    ] as const
  ).map(([name, value]): Fault => {
    const another = () => materialize(plan, documents, { [name]: value });
    return [`another ${name} than the plan's`, another, 'invalid_option', undefined, name];
  }),
  [
    "another documentMultiple than the plan's",
    () => packscope.cuSeqlens(plan, any({ documentMultiple: 2 })),
    ...(['invalid_option', undefined, 'documentMultiple'] as const),
  ],
  [
    'labels of lengths',
    () => materialize(pack([3]), [3], { arrays: ['doc_ids', 'labels'] }),
    ...(['invalid_argument', undefined, 'labels'] as const),
  ],
  [
    'means of float16',
    () => packscope.segmentMeanPool(plan, any(new Uint16Array(8))),
    ...(['invalid_argument', undefined, 'float16'] as const),
  ],
  ['a picture of too many pixels', () => packscope.render(plan, { kind: 'rows' }, 32768, 8193), 'too_large'],
  [
    'a record that fits no window',
    () => packscope.packSequences(['abc', 'd'], (s) => s.length, { contextLength: 2 }),
    'document_too_long',
    0,
  ],
  ['a record without tokens', () => packscope.packSequences(['abc', ''], (s) => s.length), 'invalid_argument', 1],
  ['options in a Map', () => pack([1], any(new Map([['contextLength', 4]]))), 'invalid_argument', undefined, 'a Map'],
  ['a promise of options', () => pack([1], any(Promise.resolve({}))), 'invalid_argument', undefined, 'a Promise'],
  ['fields in a Map', () => pack(any({ documents: [[1]], fields: new Map() })), 'invalid_argument', undefined, 'a Map'],
  [
    'a field that would be a prototype',
    () => pack({ documents: [[1]], fields: JSON.parse('{"__proto__": [1]}') }),
    ...(['invalid_argument', undefined, '__proto__'] as const),
  ],
  ['a text in the place of a flag', () => materialize(plan, documents, { int64: any('false') }), 'invalid_argument'],
  ['windows of three', () => materialize(plan, documents, { windows: any([0, 1, 2]) }), 'invalid_argument'],
  ['blocks of three sides', () => packscope.blockMask(plan, { block: any([1, 2, 3]) }), 'invalid_argument'],
  ['a slice that is no function', () => packscope.packSequences([1], () => 1, any({ slice: 5 })), 'invalid_argument'],
  ['half of a pair in a source', () => pack({ lengths: [1], sources: ['a\ud83d'] }), 'unknown_source', 0, 'surrogate'],
  [
    'half of a pair in a group',
    () => pack([1], { groups: { x: ['a\ud83d'] } }),
    'invalid_option',
    undefined,
    'surrogate',
  ],
  [
    'half of a pair in the name of a field',
    () => pack({ documents: [[1]], fields: { 'a\ud83d': [Int32Array.of(1)] } }),
    ...(['invalid_argument', undefined, 'surrogate'] as const),
  ],
  ...(['stats', 'documentFates', 'unpack', 'segmentMeanPool', 'materialize', 'fingerprint'] as const).flatMap((name) =>
    [4294967294, 1000, 0].map((offset): Fault => {
      const broken = structuredClone(pack([[1, 2, 3], [4], [5]], { contextLength: 4, algorithm: 'pad' }));
      broken.window_offsets.set([offset === 0 ? 2 : offset, offset === 0 ? 1 : 2], 1);
      const values = new Float32Array(12);
      const isPool = name === 'unpack' || name === 'segmentMeanPool';
      const call = () =>
        (all[name] as (...args: unknown[]) => unknown)(broken, isPool ? values : [[1, 2, 3], [4], [5]]);
      return [`${name} of a plan with an offset of ${offset}`, call, 'invalid_plan', undefined, 'window_offsets'];
    }),
  ),
  ['a NUL in an option', () => pack([1], any({ algorithm: 'wrap\0tail\0drop' })), 'invalid_option', undefined, 'NUL'],
  ['a NUL in the name of an option', () => pack([1], any({ 'tail\0drop\0x': 1 })), 'invalid_option', undefined, 'NUL'],
  ['a NUL in a group', () => pack([1], { groups: { a: ['b\0c'] } }), 'invalid_option', undefined, 'groups'],
  [
    'a NUL in an option of masks',
    () => packscope.attentionMask(plan, any({ mask: 'causal\0' })),
    'invalid_option',
    undefined,
    'NUL',
  ],
  ['a group with a comma', () => pack([1], { groups: { a: ['b,c'] } }), 'invalid_option', undefined, 'b,c'],
  [
    'dropDuplicates of lengths',
    () => pack([1], { dropDuplicates: true }),
    'invalid_option',
    undefined,
    'dropDuplicates',
  ],
  [
    'a window that does not exist',
    () => materialize(plan, documents, { windows: 2 }),
    'invalid_argument',
    undefined,
    '2',
  ],
  ['windows that go backwards', () => materialize(plan, documents, { windows: [1, 0] }), 'invalid_argument'],
  ['a fractional window', () => materialize(plan, documents, { windows: 0.5 }), 'invalid_argument'],
  [
    'an array that does not exist',
    () => materialize(plan, documents, { arrays: any(['tokens']) }),
    'invalid_argument',
    undefined,
    'tokens',
  ],
  ['other documents than those of the plan', () => materialize(plan, [[1], [2], [3]]), 'invalid_argument', 0],
  ['fewer documents than those of the plan', () => materialize(plan, [[1, 2, 3]]), 'invalid_argument'],
  ['a plan that is none', () => materialize(any({}), documents), 'invalid_plan'],
  ['a plan that was reused', () => packscope.stats(reused(), documents), 'invalid_plan', undefined, 'reused'],
  [
    'a plan with an option that none can have',
    () => packscope.stats({ ...plan, options: { ...plan.options, documentMultiple: 0 } }, documents),
    ...(['invalid_option', undefined, 'documentMultiple'] as const),
  ],
  [
    'a plan whose arrays differ',
    () => materialize({ ...plan, segment_length: new Uint32Array(1) }, documents),
    'invalid_plan',
  ],
  [
    'a plan that overflows',
    () => packscope.validate({ ...plan, segment_length: Uint32Array.of(3, 9, 2) }, documents),
    'invalid_plan',
  ],
  ['a query beyond the window', () => packscope.attends(plan, 0, 4, 0), 'invalid_argument', undefined, '3'],
  ['a window without a mask', () => packscope.attends(plan, 9, 0, 0), 'invalid_argument'],
  [
    'a slidingWindow of 0',
    () => packscope.attentionMask(plan, { slidingWindow: 0 }),
    'invalid_option',
    undefined,
    'slidingWindow',
  ],
  ['too few prefix lengths', () => packscope.attentionMask(plan, { prefixLengths: [1] }), 'length_mismatch'],
  [
    'a negative prefix length',
    () => packscope.attentionMask(plan, { prefixLengths: [-1, 0, 0] }),
    'invalid_argument',
    0,
  ],
  [
    'a mask format that does not exist',
    () => packscope.attentionMask(plan, { format: any('int8') }),
    'invalid_argument',
    undefined,
    'bfloat16',
  ],
  ['a dense mask above its limit', () => packscope.attentionMask(pack([9], { contextLength: 65536 })), 'too_large'],
  ['a block of 0', () => packscope.blockMask(plan, { block: 0 }), 'invalid_argument'],
  [
    'detached doc_ids',
    () => packscope.buildIntraDocumentMask(detached(Int32Array.of(0))),
    ...(['invalid_argument', undefined, 'transferred'] as const),
  ],
  ['doc_ids that are a string', () => packscope.buildIntraDocumentMask(any('0')), 'invalid_argument'],
  ['grouping without a limit', () => packscope.groupByLength([1], {}), 'invalid_option', undefined, 'maxTokens'],
  [
    'a document above maxTokens',
    () => packscope.groupByLength([9], { maxTokens: 4 }),
    'document_too_long',
    0,
    'maxTokens',
  ],
  ['a negative maxRows', () => packscope.groupByLength([9], { maxRows: -1 }), 'invalid_argument'],
  [
    'results of another number',
    () => packscope.restore(packscope.groupByLength([1, 2], { maxRows: 2 }), [1]),
    'length_mismatch',
  ],
  ['records with a separator', () => packscope.packSequences(['a'], () => 1, { separatorId: 0 }), 'invalid_option'],
  [
    'records to cut without slice',
    () => packscope.packSequences(['abc'], () => 3, { contextLength: 2, longDocuments: 'split' }),
    'invalid_option',
    0,
  ],
  ['packFlat of lengths', () => packscope.packFlat(any([1, 2])), 'invalid_argument'],
  [
    'training from windows of 1',
    () => packscope.toTraining(packscope.packFlat([[1]], { contextLength: 1 })),
    'invalid_option',
  ],
  ['values of another size', () => packscope.unpack(plan, new Float32Array(3)), 'length_mismatch'],
  [
    'a histogram with detached counts',
    () => packscope.compare({ lengths: [1], counts: any(detached(Uint32Array.of(1))) }),
    ...(['invalid_argument', undefined, 'transferred'] as const),
  ],
  ['a histogram with counts of no type', () => packscope.compare({ lengths: [1], counts: any(1) }), 'invalid_argument'],
  [
    'a histogram with a huge count',
    () => packscope.compare({ lengths: [1], counts: [2 ** 53] }),
    'invalid_argument',
    undefined,
    '9007199254740991',
  ],
  ['a histogram with a negative count', () => packscope.compare({ lengths: [1], counts: [-1] }), 'invalid_argument'],
  ['a histogram of two sizes', () => packscope.compare({ lengths: [1, 2], counts: [1] }), 'length_mismatch'],
  ['a picture of no pixels', () => packscope.render(plan, { kind: 'rows' }, 0, 1), 'invalid_argument'],
  ['a picture of no kind', () => packscope.render(plan, any({ kind: 'pie' }), 8, 8), 'invalid_argument'],
  ['a theme that does not exist', () => packscope.palette(any('blue')), 'invalid_argument'],
  ['a build that does not exist', () => createPackscope({ variant: any('avx') }), 'invalid_argument'],
];

describe('a PackscopeError for', () => {
  test.each(faults)('%s', (_, call, code, document, names) => {
    let caught: unknown;
    try {
      call();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(PackscopeError);
    const error = caught as PackscopeError;
    expect(`${error.code}: ${error.message}`).toMatch(`${code}:`);
    expect(error.remedy).toMatch(/\w+ .*[.]$/);
    if (document !== undefined) expect(error.document).toBe(document);
    if (names !== undefined) expect(error.message).toContain(names);
  });
});

test('array options that are undefined leave those of the plan as they are, and planning options may be repeated', () => {
  const given = { documents: [[1]], sources: ['a'] };
  const planning = { homogeneity: 'group', groups: { g: ['a'] } } as const;
  const made = pack(given, { contextLength: 3, padTokenId: 7, ...planning });
  const unset = any({ contextLength: undefined, padTokenId: undefined, ...planning }) as { padTokenId: 0 };
  expect([...materialize(made, given, unset).input_ids]).toEqual([1, 7, 7]);
  expect([...materialize(made, given, { padTokenId: 5 }).input_ids]).toEqual([1, 5, 5]);
});

test('an error that nobody catches can be read: Node shows the line of code that it came from', () => {
  const code = "import { pack } from 'packscope'; pack([[1, -2]]);";
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(stderr).toContain('document 0, token 1: id -2');
  expect(stderr.length).toBeLessThan(4000);
});

test('an engine that ends prints nothing: the error says what was wrong', () => {
  const code = `import { createPackscope } from 'packscope';
try { createPackscope().pack(new Uint32Array(2 ** 29)) } catch ({ code, message }) { console.log(code, message) }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(stdout).toMatch(/^out_of_memory the engine ran out of memory/);
  expect(stdout).not.toMatch(/ASSERTIONS/);
  expect(stderr).toBe('');
});
