// SPDX-License-Identifier: MIT
// CommonJS in Node: require() where this Node can require ES modules, and import() everywhere.
const documents = [
  [11, 12, 13, 14, 15],
  [21, 22],
  [31, 32, 33],
];
const fingerprint = ({ pack }) => pack(documents, { contextLength: 8 }).fingerprint;

function required() {
  try {
    return fingerprint(require('packscope'));
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
}

import('packscope').then((packscope) => {
  console.log(JSON.stringify({ required: required(), imported: fingerprint(packscope) }));
});
