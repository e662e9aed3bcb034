// SPDX-License-Identifier: MIT
// Whether a page fits its screen: nothing wider than it, no text cut off or written over other text.

/** What does not fit, in words. Lists that scroll and texts that end with an ellipsis are meant to be longer. */
export const misfits = (page) => page.evaluate(findMisfits);

function findMisfits() {
  const found = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide on a screen of ${innerWidth}`);

  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (text === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('.hidden-text, option, noscript')) continue;
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) if (box.width > 1) words.push({ text, element, box });
  }

  const clips = (style) => style.overflowX === 'hidden' || style.overflowX === 'clip';
  for (const { text, element, box } of words) {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === 'auto' || style.overflowX === 'scroll' || style.textOverflow === 'ellipsis') break;
      const edges = at.getBoundingClientRect();
      const outside = box.left < edges.left - 1.5 || box.right > edges.right + 1.5;
      if (outside && (clips(style) || at.matches('button, select'))) {
        found.push(`'${text}' is cut off by ${at.tagName.toLowerCase()}.${at.className}`);
        break;
      }
    }
  }

  // In the lines of one control or row.
  for (const line of document.querySelectorAll('button, .option-line, .facts > div, .header, .tab-line, .toolbar')) {
    const inside = words.filter(({ element }) => line.contains(element));
    inside.forEach(({ text, box }, index) => {
      const over = inside.slice(index + 1).find((other) => overlap(box, other.box));
      if (over) found.push(`'${text}' and '${over.text}' overlap`);
    });
  }
  return found;

  function overlap(a, b) {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  }
}
