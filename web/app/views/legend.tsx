// SPDX-License-Identifier: MIT
// What the colours of the tiles say, and the choice of it.
import { lengthColors, sourceColor, wholenessColors } from '../engine/colors.js';
import { counted, shortCount } from '../format.js';
import type { Coloring } from '../state/model.js';
import { colorChoices, data, model, palette, theme, update } from '../state/store.js';

const titles: Readonly<Record<Coloring, string>> = {
  document: 'Document',
  length: 'Length',
  split: 'Split or cut',
  source: 'Source',
};

export function ColorChoice() {
  return (
    <select
      aria-label="Colour"
      value={model.value.colorBy}
      onChange={({ currentTarget }) => update({ colorBy: currentTarget.value as Coloring })}
    >
      {colorChoices.value.map((coloring) => (
        <option key={coloring} value={coloring}>
          {`Colour: ${titles[coloring].toLowerCase()}`}
        </option>
      ))}
    </select>
  );
}

export function Legend() {
  const { colorBy, contextLength, level } = model.value;
  if (level === 'field') return <FieldLegend />;
  return (
    <p class={colorBy === 'document' ? 'legend plain' : 'legend'}>
      {colorBy === 'length' && <LengthScale contextLength={contextLength} />}
      {colorBy === 'split' && <Wholeness />}
      {colorBy === 'source' && <Sources />}
      <span class="hatch-swatch" aria-hidden="true" /> padding
      {colorBy === 'document' && <span class="legend-note">a row is a window, a tile a document</span>}
    </p>
  );
}

function FieldLegend() {
  const waste = palette.value?.waste ?? [];
  const stops = waste.filter((_, index) => index % 32 === 0 || index === waste.length - 1);
  const background = `linear-gradient(to right, ${stops.map((color) => css([...color.slice(0, 3)])).join(', ')})`;
  return (
    <p class="legend">
      no padding <span class="color-scale smooth" aria-hidden="true" style={{ background }} /> nothing else
    </p>
  );
}

const css = (color: readonly number[]) => `rgb(${color.join(' ')})`;

function LengthScale({ contextLength }: { contextLength: number }) {
  const colors = lengthColors[theme.value];
  return (
    <>
      <span>&lt; {shortCount(contextLength / 2 ** (colors.length - 1))}</span>
      <span class="color-scale" aria-hidden="true">
        {colors.map((color, index) => (
          <span key={index} style={{ background: css(color) }} />
        ))}
      </span>
      <span class="after">≥ {shortCount(contextLength / 2)} tokens</span>
    </>
  );
}

function Wholeness() {
  const { whole, piece, cut } = wholenessColors[theme.value];
  return (
    <>
      <Swatch color={css(whole)} /> whole <Swatch color={css(piece)} /> a piece <Swatch color={css(cut)} />{' '}
      <span class="after">cut short</span>
    </>
  );
}

function Sources() {
  const colors = palette.value;
  const names = data.value?.sourceNames ?? [];
  if (colors === undefined) return null;
  const named = names.slice(0, colors.documents.length);
  const others = names.length - named.length;
  return (
    <span class="source-names">
      {named.map((name, source) => (
        <span key={name} title={name}>
          <Swatch color={css(sourceColor(source, colors, theme.value))} /> {name}
        </span>
      ))}
      {others > 0 && (
        <span>
          <Swatch color={css(sourceColor(named.length, colors, theme.value))} /> {counted(others, 'other')}
        </span>
      )}
    </span>
  );
}

const Swatch = ({ color }: { color: string }) => (
  <span class="color-swatch" aria-hidden="true" style={{ background: color }} />
);
