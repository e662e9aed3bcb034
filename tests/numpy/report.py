# SPDX-License-Identifier: MIT
# What the tests of this folder count, and the failures they show.


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, *what):
        if holds:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= 20:
            print("FAILED", *what, sep="\n  ")

    def finish(self):
        """Prints the last line and gives the exit code."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 0 if self.failed == 0 and self.passed > 0 else 1
