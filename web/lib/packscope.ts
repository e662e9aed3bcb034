// SPDX-License-Identifier: MIT
// The interface of this package, as every entry offers it, over one engine.
import type { AlgorithmsApi } from './algorithms.js';
import { algorithmsApi } from './algorithms.js';
import type { CompareApi } from './compare.js';
import { compareApi } from './compare.js';
import type { Engine } from './engine.js';
import type { GroupByLengthApi } from './group-by-length.js';
import { groupByLengthApi } from './group-by-length.js';
import type { MasksApi } from './masks.js';
import { masksApi } from './masks.js';
import type { MaterializeApi } from './materialize.js';
import { materializeApi } from './materialize.js';
import type { OperatorsApi } from './operators.js';
import { operatorsApi } from './operators.js';
import type { OutputsApi } from './outputs.js';
import { outputsApi } from './outputs.js';
import type { PackApi } from './pack.js';
import { packApi } from './pack.js';
import type { RenderApi } from './render.js';
import { renderApi } from './render.js';
import type { StreamApi } from './stream.js';
import { streamApi } from './stream.js';

/** Everything this package does. */
export interface Packscope
  extends PackApi,
    MaterializeApi,
    StreamApi,
    MasksApi,
    OperatorsApi,
    GroupByLengthApi,
    OutputsApi,
    CompareApi,
    RenderApi,
    AlgorithmsApi {}

export function packscopeOver(engine: Engine): Packscope {
  const packing = packApi(engine);
  const arrays = materializeApi(engine);
  return {
    ...packing,
    ...arrays,
    ...streamApi(engine),
    ...masksApi(engine),
    ...operatorsApi(engine, packing, arrays),
    ...groupByLengthApi(engine),
    ...outputsApi,
    ...compareApi(engine, packing),
    ...renderApi(engine),
    ...algorithmsApi(engine),
  };
}
