// SPDX-License-Identifier: MIT
// Gives the tests in WebAssembly the environment variables of the Node process that runs them.
Module['preRun'] = [() => Object.assign(ENV, process.env)];
