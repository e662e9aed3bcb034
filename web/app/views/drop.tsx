// SPDX-License-Identifier: MIT
// The whole page takes dropped files.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { openFiles } from '../state/loading.js';
import { droppedFiles } from './files.js';

const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

export function DropTarget() {
  const over = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    const drag = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      over.value = true;
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false;
    };
    const drop = (event: DragEvent) => {
      over.value = false;
      if (!event.dataTransfer || !hasFile(event)) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then((files) => openFiles(files));
    };
    addEventListener('dragover', drag, { signal: stop.signal });
    addEventListener('dragleave', leave, { signal: stop.signal });
    addEventListener('drop', drop, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  if (!over.value) return null;
  return (
    <div class="drop-target">
      <p>
        <strong>Drop documents here</strong>
        JSON lines, text, CSV, Arrow, Parquet, NumPy arrays, or a folder that packscope wrote, compressed or not. Files
        stay on this computer.
      </p>
    </div>
  );
}
