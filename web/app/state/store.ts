// SPDX-License-Identifier: MIT
// The page's state and what keeps it in step: the model follows the hash, the data and the plan follow the model. What
// was on screen stays until what replaces it is ready.
import { batch, computed, effect, signal } from '@preact/signals';
import type { AlgorithmName, Theme } from 'packscope/slim';
import type { Remedy } from '../../read/problem.js';
import type { Progress, Reading } from '../../read/reading.js';
import type { Opening } from '../boot.js';
import { examples } from '../data/examples.js';
import { ask, askWithProgress, crashes } from '../engine/client.js';
import type {
  DataSource,
  DataSummary,
  Description,
  Outcome,
  Place,
  PlanSummary,
  WindowInfo,
} from '../engine/protocol.js';
import type { Camera } from './camera.js';
import type { LinkedFile } from './link.js';
import { modelOf } from './made-with.js';
import type { Model } from './model.js';
import { colorings, fromHash, longestWindow, noFilter, toHash } from './model.js';
import { maskOptions, packOptions } from './planning.js';

export const model = signal<Model>(fromHash(location.hash));
export const description = signal<Description>();
export const data = signal<DataSummary>();
export const plan = signal<PlanSummary>();
/** Grows with every plan and order on show: pictures are drawn again. */
export const planVersion = signal(0);
export const windowInfo = signal<WindowInfo>();
export const skippedShare = signal<number>();
/** What is wrong with the plan, in words, or where its check stands. */
export const validity = signal<'unchecked' | 'checking' | 'kept' | string>('checking');
export const outcomes = signal<readonly Outcome[]>([]);
/** The outcomes are those of earlier settings or data. */
export const outcomesStale = signal(true);
export const busy = signal<string>();
export const problem = signal<Problem>();
/** What is being read, once it takes long enough to say so. */
export const loading = signal<Loading>();
/** How the reader's own files are read, and which they are. */
export const own = signal<OwnData>();
/** The file that the link was made with, as long as the reader has not brought it. */
export const wanted = signal<LinkedFile>();
export const announcement = signal('');
export const camera = signal<Camera>();
/** What the pointer is over, in the rows or in the mask. */
export const hovered = signal<Place>();

/** What went wrong, and what can be done about it. */
export interface Problem {
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly remedies?: readonly Remedy[];
  readonly command?: string | undefined;
}

export interface Loading extends Progress {
  readonly title: string;
  readonly seconds: number;
}

export interface OwnData {
  readonly files: readonly File[];
  readonly reading: Reading;
  /** The part of a link that brings these documents, or names them. */
  readonly link: string;
}

const darkMedia = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(darkMedia.matches);
darkMedia.addEventListener('change', ({ matches }) => {
  systemDark.value = matches;
});

export const theme = computed<Theme>(() => {
  const choice = model.value.theme;
  if (choice !== 'system') return choice;
  return systemDark.value ? 'dark' : 'light';
});

export const palette = computed(() => description.value?.palettes[theme.value]);

/** What colours can say of these documents. */
export const colorChoices = computed(() =>
  colorings.filter((coloring) => coloring !== 'source' || (data.value?.sourceNames.length ?? 0) > 0),
);

/** Outcomes at the window length on show. */
export const outcomeOf = computed(() => {
  const { contextLength } = model.value;
  const at = outcomes.value.filter((outcome) => outcome.contextLength === contextLength || outcomesStale.value);
  return new Map<AlgorithmName, Outcome>(at.map((outcome) => [outcome.algorithm, outcome]));
});

export function update(change: Partial<Model>): void {
  model.value = { ...model.value, ...change };
}

export function select(window: number, segment = -1): void {
  update({ window, segment });
}

export function announce(text: string): void {
  announcement.value = text;
}

function report(error: unknown): void {
  const { message, remedy, remedies = [], command } = error as Problem;
  problem.value = { message, remedy, remedies, command };
  announce(message);
}

const patience = 300;

// Nothing is said of work that ends soon.
async function withBusy<T>(text: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    busy.value = text;
    announce(text);
  }, patience);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    busy.value = undefined;
  }
}

let source: DataSource | undefined;

function titleOf(of: DataSource): string {
  if ('example' in of) return examples[of.example].title;
  return 'folder' in of ? 'the packed folder' : (of.files[0]?.name ?? 'files');
}

// Tells how far it is once that is worth telling.
async function read(of: DataSource): Promise<DataSummary> {
  const title = titleOf(of);
  const begin = performance.now();
  const tell = (progress: Progress) => {
    const milliseconds = performance.now() - begin;
    if (milliseconds < patience) return;
    if (loading.peek() === undefined) announce(`Reading ${title}`);
    loading.value = { ...progress, title, seconds: milliseconds / 1000 };
  };
  try {
    return await askWithProgress('load', tell, of);
  } finally {
    loading.value = undefined;
  }
}

/** What changes with documents, where that depends on them. */
type Change = Partial<Model> | ((summary: DataSummary) => Partial<Model>);

/** Loads documents and packs them. Both are shown at once; on failure what was there stays. */
export async function load(next: DataSource, change: Change, begun?: Opening): Promise<boolean> {
  try {
    const summary = await (begun?.data ?? read(next));
    while (planning) await planning.catch(() => undefined);
    planning = planLoaded(next, summary, typeof change === 'function' ? change(summary) : change, begun?.plan);
    await planning.finally(endPlanning);
    await replan();
    announce(`${summary.title}: ${summary.documents} documents`);
    return true;
  } catch (error) {
    if ((error as Error).name === 'Cancelled') announce('Reading was cancelled');
    else report(error);
    return source === next;
  }
}

async function planLoaded(
  next: DataSource,
  summary: DataSummary,
  change: Partial<Model>,
  begun: Promise<PlanSummary> | undefined,
): Promise<void> {
  const made = summary.planOptions ? modelOf(summary.planOptions) : {};
  const changes = { ...change, ...made, window: change.window ?? 0, segment: change.segment ?? -1 };
  const of = { ...model.peek(), ...changes };
  const hold = () => {
    source = next;
    data.value = summary;
    if ('example' in next) own.value = undefined;
    update(changes);
    planned = settingsKey(of);
    outcomesStale.value = true;
  };
  // Before the first plan there is nothing that could stay, and settings may be what is wrong.
  const isFirst = plan.peek() === undefined;
  if (isFirst) batch(hold);
  const asked = begun ?? ask('plan', packOptions(of), of.order);
  const first = await withBusy('Packing', asked).catch((error: Problem) => {
    if (isFirst) throw error;
    const message = `${summary.title} cannot be packed here: ${error.message}`;
    throw Object.assign(new Error(message), {
      remedy: `${error.remedy ?? ''} The documents from before are still on show.`.trim(),
    });
  });
  batch(() => {
    if (!isFirst) hold();
    camera.value = undefined;
    showPlan(first);
  });
  if (settingsKey(model.value) === planned) void followPlan(of);
}

export function loadExample(example: keyof typeof examples): Promise<boolean> {
  return load({ example }, { example, contextLength: examples[example].contextLength, window: 0, ...noFilter });
}

let planned = '';
let planning: Promise<void> | undefined;

const endPlanning = () => {
  planning = undefined;
};

const settingsKey = (of: Model) => JSON.stringify([packOptions(of), of.order]);

// One plan at a time; settings that changed meanwhile get the next.
async function replan(): Promise<void> {
  if (planning || source === undefined) return;
  planning = planUntilSettled();
  await planning.finally(endPlanning);
}

async function planUntilSettled(): Promise<void> {
  while (planned !== settingsKey(model.value)) await planOnce(model.value);
}

async function planOnce(of: Model): Promise<void> {
  planned = settingsKey(of);
  outcomesStale.value = true;
  try {
    const made = await withBusy('Packing', ask('plan', packOptions(of), of.order));
    batch(() => showPlan(made));
    if (settingsKey(model.value) === planned) void followPlan(of);
  } catch (error) {
    report(error);
  }
}

function showPlan(made: PlanSummary): void {
  plan.value = made;
  problem.value = undefined;
  planVersion.value += 1;
  const last = Math.max(made.stats.windows - 1, 0);
  if (model.value.window > last) select(last);
}

/** Above this many documents a plan is checked when that is asked for: it takes seconds, and pictures wait. */
const mostCheckedDocuments = 1_000_000;

export async function checkPlan(): Promise<void> {
  validity.value = 'checking';
  validity.value = (await ask('validate')) ?? 'kept';
}

// What the plan on show is asked beyond its picture, the cheap first.
async function followPlan(of: Model): Promise<void> {
  try {
    const many = (data.peek()?.documents ?? 0) > mostCheckedDocuments;
    validity.value = many ? 'unchecked' : 'checking';
    // Blocks of many windows take long and give way to the rest.
    const checked = many ? Promise.resolve() : checkPlan();
    await Promise.all([recountBlocks(of), checked.then(refreshOutcomes)]);
  } catch (error) {
    report(error);
  }
}

/** Window lengths that Compare shows beside the chosen one. */
export function comparedLengths(contextLength: number): number[] {
  return [contextLength / 4, contextLength / 2, contextLength, contextLength * 2, contextLength * 4]
    .map(Math.floor)
    .filter((length) => length >= 16 && length <= longestWindow);
}

export async function refreshOutcomes(): Promise<void> {
  const of = model.value;
  const others =
    of.tab === 'compare' ? comparedLengths(of.contextLength).filter((length) => length !== of.contextLength) : [];
  const fresh: Outcome[] = [];
  await askWithProgress(
    'outcomes',
    (outcome: Outcome) => {
      if (settingsKey(model.value) !== settingsKey(of)) return;
      fresh.push(outcome);
      const replaced = new Set(fresh.map(outcomeKey));
      outcomes.value = [
        ...outcomes.value.filter((old) => !replaced.has(outcomeKey(old)) && outcomesStale.value),
        ...fresh,
      ];
      outcomesStale.value = outcomesStale.value && fresh.length < 10;
    },
    packOptions(of),
    [of.contextLength, ...others],
  );
}

const outcomeKey = ({ algorithm, contextLength }: Outcome) => `${algorithm} ${contextLength}`;

let asked = 0;

async function refreshWindow(window: number): Promise<void> {
  asked += 1;
  const mine = asked;
  try {
    const info = await ask('window', window);
    if (mine !== asked) return;
    windowInfo.value = info;
    const tokens = data.peek()?.keepsTokens ? await ask('windowTokens', info.window) : undefined;
    if (mine === asked && tokens) windowInfo.value = { ...info, ...tokens };
  } catch (error) {
    report(error);
  }
}

function writeHash(of: Model): void {
  const hash = toHash(of) + (own.value?.link ?? '');
  if (hash !== location.hash) history.replaceState(null, '', hash);
}

/** Starts everything; called once. `opening` is what the worker was asked for before this page was there. */
export async function start(opening?: Opening): Promise<void> {
  const first = opening?.model ?? model.value;
  crashes.addEventListener('crash', () => void restart());
  addEventListener('hashchange', () => void follow(fromHash(location.hash)));
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
  void ask('describe').then((value) => {
    description.value = value;
  }, report);
  const example = first.example === 'own' ? 'chat' : first.example;
  const linked =
    first.example === 'own' ? await (await import('./loading.js')).loadLinked(location.hash, first) : undefined;
  if (!linked?.loaded) await load({ example }, { ...first, example }, opening);
  if (linked?.problem) problem.value = linked.problem;
  effect(() => {
    void settingsKey(model.value);
    void replan();
  });
  const window = computed(() => model.value.window);
  effect(() => {
    if (planVersion.value > 0) void refreshWindow(window.value);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const of = model.value;
    void own.value;
    clearTimeout(timer);
    timer = setTimeout(() => writeHash(of), 150);
  });
  const tab = computed(() => model.value.tab);
  effect(() => {
    if (tab.value === 'compare' && planVersion.peek() > 0) void refreshOutcomes().catch(report);
  });
  const blockOptions = computed(() => JSON.stringify(maskOptions(model.value)));
  effect(() => {
    if (blockOptions.value && planVersion.peek() > 0) void recountBlocks(model.peek()).catch(report);
  });
}

async function recountBlocks(of: Model): Promise<void> {
  const blocks = await ask('blocks', maskOptions(of), 128);
  if (blocks === undefined) return;
  const { full, partial, skipped } = blocks;
  const all = full + partial + skipped;
  skippedShare.value = all === 0 ? 0 : skipped / all;
}

async function follow(next: Model): Promise<void> {
  if (next.example !== model.value.example && next.example !== 'own') await load({ example: next.example }, next);
  else model.value = { ...next, example: model.value.example };
}

const crashesApart = 20_000;
let lastCrash = Number.NEGATIVE_INFINITY;

// The settings are still here and so is where the documents came from. What ends the worker again and again is not read
// another time.
async function restart(): Promise<void> {
  const again = performance.now() - lastCrash < crashesApart;
  lastCrash = performance.now();
  if (source === undefined) return;
  const crashed = titleOf(source);
  const restored = again ? await loadExample('chat') : await load({ ...source }, model.value);
  if (!restored) return;
  problem.value = {
    message: `The worker that packs has ended, perhaps for want of memory. ${again ? `It did so twice with ${crashed}, which is closed now.` : 'It was started again, and your documents and settings are back.'}`,
    remedy: again ? 'Take a smaller part of the file, or use the program.' : undefined,
  };
}
