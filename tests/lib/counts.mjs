// SPDX-License-Identifier: MIT
// A vitest reporter that ends with the line of counts that scripts/test.mjs reads.
export default class Counts {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that cannot be loaded has no tests to fail.
      if (module.errors().length > 0) counts.failed += 1;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`\n${counts.passed} passed, ${counts.failed + counts.pending} failed${skipped}`);
  }
}
