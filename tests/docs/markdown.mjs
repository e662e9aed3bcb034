// SPDX-License-Identifier: MIT
// What the documentation tests read out of a Markdown page: its fenced blocks, the commands of a console
// block, its links, its headings' anchors, the paths and npm commands it names.

// [{language, label, text, line}]; the label is the rest of the opening line.
export function fencedBlocks(markdown) {
  const blocks = [];
  let open;
  markdown.split('\n').forEach((content, index) => {
    const fence = content.match(/^```\s*(\S*)\s*(.*?)\s*$/);
    if (fence && !open) {
      open = { language: fence[1], label: fence[2], lines: [], line: index + 1 };
    } else if (fence) {
      const { language, label, lines, line } = open;
      blocks.push({ language, label, line, text: lines.map((text) => `${text}\n`).join('') });
      open = undefined;
    } else {
      open?.lines.push(content);
    }
  });
  return blocks;
}

// A console block as [{command, output}]: `$ ` begins a command, `> ` goes on with it, the rest is output.
export function consoleCommands(text) {
  const commands = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] });
    else if (!last) throw new Error(`the block begins with output, not with "$ COMMAND": ${line}`);
    else if (line.startsWith('> ') && last.output.length === 0) last.command += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return commands;
}

const withoutBlocks = (markdown) => markdown.replace(/^```[\s\S]*?^```/gm, '');

export function links(markdown) {
  const prose = withoutBlocks(markdown).replace(/`[^`\n]*`/g, '');
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]),
    ...[...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map((match) => match[1]),
  ];
}

// As GitHub makes them from headings.
export function anchors(markdown) {
  return [...withoutBlocks(markdown).matchAll(/^#+ +(.*)$/gm)].map((match) =>
    match[1].toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-'),
  );
}

// Paths of the project in `code`; those with a placeholder or a pattern are no paths.
export function namedPaths(markdown) {
  const spans = [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]);
  return spans.filter((span) => /^(?:\.ci|cmake|cpp|docs|scripts|tests)\/[\w./+-]*$/.test(span));
}

export function npmScripts(markdown) {
  return [...markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map((match) => match[1] ?? match[2]);
}

// The rows of the tables whose header begins with `first`: [[cell, ...]].
export function tableRows(markdown, first) {
  const rows = [];
  let inside = false;
  for (const line of markdown.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1).map((cell) => cell.trim()) : undefined;
    if (!cells) inside = false;
    else if (cells[0] === first) inside = true;
    else if (inside && !/^-+$/.test(cells[0])) rows.push(cells);
  }
  return rows;
}
