// SPDX-License-Identifier: MIT
// Puts the doc comments of the interface Packscope over the functions that dist/types/index.d.ts exports under the
// same names, so that editors show them, and so that each stands in the sources once.
import { readFileSync, writeFileSync } from 'node:fs';

export async function documentEntry(path) {
  const { default: ts } = await import('typescript');
  const program = ts.createProgram([path], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const members = checker.getDeclaredTypeOfSymbol(
    checker.getAliasedSymbol(exported.find(({ name }) => name === 'Packscope')),
  );
  const comments = new Map(
    members.getProperties().map((member) => [member.name, commentOf(ts, member.valueDeclaration)]),
  );

  const missing = [];
  const text = readFileSync(path, 'utf8').replace(
    /^export declare const (\w+): Packscope\['\w+'\];$/gm,
    (line, name) => {
      const comment = comments.get(name);
      if (!comment) missing.push(name);
      return `${comment ?? ''}\n${line}`;
    },
  );
  if (missing.length > 0) throw new Error(`no doc comment for ${missing.join(', ')}`);
  writeFileSync(path, text);
}

function commentOf(ts, declaration) {
  const text = declaration.getSourceFile().text;
  const range = ts.getLeadingCommentRanges(text, declaration.pos)?.at(-1);
  return range && text.slice(range.pos, range.end).replace(/^ {4}/gm, '');
}
