// SPDX-License-Identifier: MIT
// A choice among a few, as buttons side by side.
interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  choices: Readonly<Record<T, string>>;
  change: (value: T) => void;
}

export function Segmented<T extends string>({ label, value, choices, change }: SegmentedProps<T>) {
  return (
    <div class="segmented" role="group" aria-label={label}>
      {(Object.keys(choices) as T[]).map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => change(choice)}>
          {choices[choice]}
        </button>
      ))}
    </div>
  );
}
