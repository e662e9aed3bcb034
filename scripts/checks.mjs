// SPDX-License-Identifier: MIT
// A test runner of a few lines for the checks written in JavaScript: each failure is printed with its
// reason, and the last line is `N passed, N failed[, N skipped]`, as scripts/test.mjs reads it.
export class Checks {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  // `body` throws, or returns a promise that rejects, where the check fails.
  async check(name, body) {
    try {
      await body();
      this.#passed += 1;
    } catch (error) {
      this.#failed += 1;
      console.log(`FAILED ${name}\n  ${error.message.trim().replaceAll('\n', '\n  ')}`);
    }
  }

  skip(name, reason) {
    this.#skipped += 1;
    console.log(`skipped ${name}: ${reason}`);
  }

  finish() {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
    process.exitCode = this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }
}
