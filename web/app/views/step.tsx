// SPDX-License-Identifier: MIT
// Step through: the first documents packed one decision at a time, with the rule and its numbers in a sentence.
import { effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { ask } from '../engine/client.js';
import type { StepData } from '../engine/protocol.js';
import { count, counted, percent } from '../format.js';
import { mostStepDocuments } from '../state/model.js';
import type { Traced } from '../state/player.js';
import {
  currentStep,
  goToStep,
  lastStep,
  moveStep,
  playing,
  runPlayer,
  speed,
  speeds,
  togglePlaying,
  traced,
} from '../state/player.js';
import type { StepView } from '../state/stepping.js';
import { stepping, tileColors, viewAfter } from '../state/stepping.js';
import { data, description, model, plan, problem, update } from '../state/store.js';
import { stepSentence } from '../text/steps.js';
import { StepQueue } from './step-queue.js';
import { StepStructure } from './step-structure.js';
import { StepWindows } from './step-windows.js';

export function StepThroughView() {
  useEffect(() => effect(followPlan), []);
  useEffect(runPlayer, []);
  const now = traced.value;
  if (now === undefined) return <p class="loading">Packing…</p>;
  return (
    <div class="step">
      <Player />
      <Stage now={now} />
    </div>
  );
}

// The decisions are taken anew with every plan, on its options.
function followPlan(): void {
  const options = plan.value?.options;
  const { stepDocuments } = model.value;
  if (options === undefined) return;
  ask('steps', options, stepDocuments).then(
    (read) => {
      if (plan.peek()?.options === options && model.peek().stepDocuments === stepDocuments)
        traced.value = tracedOf(read);
    },
    (error: Error) => {
      problem.value = { message: error.message };
    },
  );
}

function tracedOf(read: StepData): Traced {
  const { ofDocument, inWindow } = tileColors(read.trace, read.colors);
  return { data: read, stepping: stepping(read.trace), colorOf: ofDocument, colorIn: inWindow };
}

function Stage({ now }: { now: Traced }) {
  const step = currentStep.value;
  const view = useMemo(() => viewAfter(now.stepping, step), [now, step]);
  return (
    <div class="step-stage">
      <StepQueue now={now} view={view} />
      <StepWindows now={now} view={view} />
      <section class="step-words" aria-label="The decision">
        <p class="step-number">
          Step {count(step)} of {count(now.stepping.steps)}
        </p>
        <p class="step-sentence" aria-live={playing.value ? 'off' : 'polite'}>
          {sentenceOf(now, view)}
        </p>
        <StepStructure now={now} view={view} />
        <Tally now={now} view={view} />
      </section>
    </div>
  );
}

function sentenceOf({ data: { options, lengths } }: Traced, view: StepView): string {
  const rule = description.value?.algorithms.find(({ name }) => name === options.algorithm)?.rule ?? '';
  return stepSentence(view, { options, lengths, rule });
}

function Tally({ now, view }: { now: Traced; view: StepView }) {
  const contextLength = now.data.options.contextLength ?? 1;
  const closed = view.windows.filter(({ closedBy }) => closedBy !== undefined);
  const padding = closed.reduce((sum, { room }) => sum + room, 0);
  return (
    <dl class="facts step-tally">
      <div>
        <dt>Documents seen</dt>
        <dd>
          {count(view.arrived)} of {count(now.data.lengths.length)}
        </dd>
      </div>
      <div>
        <dt>Open windows</dt>
        <dd>{count(view.windows.length - closed.length)}</dd>
      </div>
      <div>
        <dt>Closed windows</dt>
        <dd>
          {closed.length === 0
            ? '0'
            : `${count(closed.length)}, ${percent(1 - padding / (closed.length * contextLength))} full`}
        </dd>
      </div>
    </dl>
  );
}

const documentChoices = [12, 20, 40, 80, 120, mostStepDocuments];

function Player() {
  const [step, steps] = [currentStep.value, lastStep.value];
  return (
    <div class="toolbar player" role="group" aria-label="Player">
      <div class="button-row">
        <Button name="First step" sign="|◀" hint="Home" disabled={step === 0} act={() => moveStep(-steps)} />
        <Button name="Step back" sign="◀" hint="Left" disabled={step === 0} act={() => moveStep(-1)} />
        <button type="button" class="primary play" title="Space" onClick={togglePlaying}>
          {playing.value ? 'Pause' : 'Play'}
        </button>
        <Button name="Step forward" sign="▶" hint="Right" disabled={step === steps} act={() => moveStep(1)} />
        <Button name="Last step" sign="▶|" hint="End" disabled={step === steps} act={() => moveStep(steps)} />
      </div>
      <input
        type="range"
        aria-label="Step"
        aria-valuetext={`${count(step)} of ${count(steps)}`}
        min={0}
        max={steps}
        value={step}
        onInput={({ currentTarget }) => goToStep(currentTarget.valueAsNumber)}
      />
      <label class="inline">
        <span>Speed</span>
        <select
          value={String(speed.value)}
          onChange={({ currentTarget }) => {
            speed.value = Number(currentTarget.value);
          }}
        >
          {speeds.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice} a second
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        <span>Of the data</span>
        <select
          value={String(model.value.stepDocuments)}
          onChange={({ currentTarget }) => update({ stepDocuments: Number(currentTarget.value), step: -1 })}
        >
          {choicesFor(model.value.stepDocuments, data.value?.documents ?? 0).map((choice) => (
            <option key={choice} value={String(choice)}>
              {`first ${counted(choice, 'document')}`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

// No more than there are, and what a link asks for.
function choicesFor(chosen: number, documents: number): number[] {
  const offered = documentChoices.filter((choice, index) => index === 0 || choice <= documents);
  return [...new Set([...offered, chosen])].sort((a, b) => a - b);
}

interface ButtonProps {
  name: string;
  sign: string;
  hint: string;
  disabled: boolean;
  act: () => void;
}

function Button({ name, sign, hint, disabled, act }: ButtonProps) {
  return (
    <button type="button" class="icon" aria-label={name} title={`${name} (${hint})`} disabled={disabled} onClick={act}>
      {sign}
    </button>
  );
}
