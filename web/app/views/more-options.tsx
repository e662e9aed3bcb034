// SPDX-License-Identifier: MIT
// The rarer options, folded: each with the sentence that the module has for it, and only where it changes something.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { Model } from '../state/model.js';
import { longestWindow } from '../state/model.js';
import type { RarerOptions } from '../state/options.js';
import { rarerDefaults } from '../state/options.js';
import { data, description, model, update } from '../state/store.js';
import { helpOf } from './option-help.js';

type Numbers = { [K in keyof Model]: Model[K] extends number ? K : never }[keyof Model];
type Switches = { [K in keyof Model]: Model[K] extends boolean ? K : never }[keyof Model];

interface Entry {
  readonly title: string;
  /** The option whose sentence explains it, where it has another name. */
  readonly of?: string;
  readonly help?: string;
}

function Help({ id, name, entry }: { id: string; name: string; entry: Entry }) {
  return (
    <p class="help" id={id}>
      {entry.help ?? helpOf(entry.of ?? name)}
    </p>
  );
}

export function NumberOption({
  name,
  least = 0,
  most = 4_294_967_295,
  none,
  ...entry
}: Entry & { name: Numbers; least?: number; most?: number; none?: string }) {
  const set = (value: number) => {
    if (Number.isInteger(value) && value >= least && value <= most) update({ [name]: value });
  };
  const value = model.value[name];
  return (
    <div class="option">
      <div class="option-line">
        <label for={name}>{entry.title}</label>
        <input
          id={name}
          class="number"
          type="number"
          min={least}
          max={most}
          placeholder={none}
          value={none !== undefined && value === 0 ? '' : value}
          aria-describedby={`${name}-help`}
          onChange={({ currentTarget }) =>
            set(currentTarget.value === '' && none !== undefined ? 0 : currentTarget.valueAsNumber)
          }
        />
      </div>
      <Help id={`${name}-help`} name={name} entry={entry} />
    </div>
  );
}

export function SwitchOption({ name, ...entry }: Entry & { name: Switches }) {
  return (
    <div class="option">
      <label class="switch">
        <span>{entry.title}</span>
        <input
          type="checkbox"
          role="switch"
          checked={model.value[name]}
          aria-describedby={`${name}-help`}
          onChange={({ currentTarget }) => update({ [name]: currentTarget.checked })}
        />
      </label>
      <Help id={`${name}-help`} name={name} entry={entry} />
    </div>
  );
}

export function ChoiceOption<K extends keyof Model>({
  name,
  choices,
  ...entry
}: Entry & { name: K; choices: Readonly<Record<Model[K] & string, string>> }) {
  return (
    <div class="option">
      <div class="option-line">
        <label for={name}>{entry.title}</label>
        <select
          id={name}
          value={model.value[name] as string}
          aria-describedby={`${name}-help`}
          onChange={({ currentTarget }) => update({ [name]: currentTarget.value })}
        >
          {Object.entries(choices).map(([value, title]) => (
            <option key={value} value={value}>
              {title as string}
            </option>
          ))}
        </select>
      </div>
      <Help id={`${name}-help`} name={name} entry={entry} />
    </div>
  );
}

function Fold({
  title,
  names,
  children,
}: {
  title: string;
  names: readonly (keyof RarerOptions)[];
  children: ComponentChildren;
}) {
  const changed = names.filter((name) => model.value[name] !== rarerDefaults[name]).length;
  const open = useSignal(changed > 0);
  return (
    <details class="group fold" open={open.value} onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        {changed > 0 && <span class="changed">{changed} changed</span>}
      </summary>
      {open.value && children}
    </details>
  );
}

const reads = (name: string) =>
  description.value?.algorithms.find(({ name: of }) => of === model.value.algorithm)?.options.includes(name) ?? false;

export function MoreOptions() {
  const { shuffleWindows, shuffleDocuments, separator, bos } = model.value;
  const shuffles = reads('seed') || shuffleWindows || shuffleDocuments;
  return (
    <>
      <section class="group">
        {reads('openWindows') && <NumberOption name="openWindows" title="Open windows" least={1} most={1_000_000} />}
        {reads('evict') && (
          <ChoiceOption name="evict" title="Closes first" choices={{ oldest: 'oldest', fullest: 'fullest' }} />
        )}
        {reads('candidatePool') && (
          <NumberOption name="candidatePool" title="Candidate pool" least={1} most={1_000_000} />
        )}
        {model.value.algorithm === 'wrap' && (
          <ChoiceOption name="tail" title="Last window" choices={{ pad: 'padded', drop: 'dropped' }} />
        )}
        <SwitchOption name="shuffleWindows" title="Shuffle windows" />
        {shuffles && <NumberOption name="seed" title="Seed" />}
      </section>
      <Fold
        title="More of packing"
        names={[
          'minRoom',
          'maxDocumentsPerWindow',
          'flushEvery',
          'shuffleDocuments',
          'windowMultiple',
          'dropDuplicates',
          'extraToken',
          'bos',
          'separatorBetween',
        ]}
      >
        <NumberOption name="maxDocumentsPerWindow" title="Most documents" none="no limit" />
        <NumberOption name="minRoom" title="Least room" least={1} most={longestWindow} />
        <NumberOption
          name="flushEvery"
          title="Flush every"
          none="never"
          help="Empty every open window after this many documents read."
        />
        <NumberOption name="documentMultiple" title="Document multiple" least={1} most={4096} />
        <NumberOption name="windowMultiple" title="Window multiple" least={1} most={65_536} />
        <SwitchOption name="shuffleDocuments" title="Shuffle documents" />
        {data.value?.knowsDuplicates && <SwitchOption name="dropDuplicates" title="Drop duplicates" />}
        <SwitchOption name="extraToken" title="Extra token" />
        <SwitchOption name="bos" title="BOS token" of="bosId" help="One token before each document." />
        {separator && (
          <SwitchOption
            name="separatorBetween"
            title="Separators only between"
            help="None after the last document of a window."
          />
        )}
      </Fold>
      <Sources />
      <Fold
        title="Arrays and padding"
        names={[
          'positionIds',
          'paddingPositionIds',
          'cuSeqlens',
          'labels',
          'separatorLoss',
          'crossBoundaryLabels',
          'paddingQueries',
        ]}
      >
        <p class="help">These leave the plan as it is; the mask, the lanes of a window and the code show them.</p>
        <ChoiceOption name="positionIds" title="position_ids" choices={{ restart: 'restart', continue: 'continue' }} />
        <ChoiceOption name="paddingPositionIds" title="in padding" choices={{ count: 'count', zeros: 'zeros' }} />
        <ChoiceOption name="cuSeqlens" title="cu_seqlens" choices={{ window: 'whole window', real: 'real tokens' }} />
        <ChoiceOption name="labels" title="labels" choices={{ shifted: 'shifted', aligned: 'aligned' }} />
        <ChoiceOption
          name="paddingQueries"
          title="Padding sees"
          choices={{ self: 'itself', masked: 'nothing' }}
          help="What a query on padding attends to; of itself alone softmax stays finite."
        />
        <SwitchOption name="crossBoundaryLabels" title="Labels across documents" />
        {(separator || bos) && <SwitchOption name="separatorLoss" title="Separators are targets" />}
      </Fold>
    </>
  );
}

// Only data with a source has something to keep apart.
function Sources() {
  const names = data.value?.sourceNames ?? [];
  if (names.length === 0) return null;
  const { homogeneity, groups } = model.value;
  return (
    <Fold title="Sources" names={['homogeneity', 'groups']}>
      <p class="help">
        {names.length === 1 ? 'One source' : `${names.length} sources`}: {names.slice(0, 8).join(', ')}
        {names.length > 8 ? ', …' : ''}
      </p>
      <ChoiceOption
        name="homogeneity"
        title="A window holds"
        choices={{ none: 'all sources', full: 'one source', group: 'one group' }}
      />
      {homogeneity === 'group' && (
        <div class="option">
          <label for="groups">Groups</label>
          <input
            id="groups"
            class="wide-text"
            type="text"
            value={groups}
            placeholder={`a=${names[0]};b=${names[1] ?? '…'}`}
            aria-describedby="groups-help"
            onChange={({ currentTarget }) => update({ groups: currentTarget.value })}
          />
          <p class="help" id="groups-help">
            Every source in one group: name=source,source;name=source
          </p>
        </div>
      )}
    </Fold>
  );
}
