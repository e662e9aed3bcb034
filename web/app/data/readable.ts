// SPDX-License-Identifier: MIT
// Twelve documents small enough to read inside a window.

export const readableDocuments: readonly string[] = [
  'The tide came in before noon and covered the lower path. We waited on the wall, ate the bread, and counted boats until the water turned.',
  'Q: How many minutes are in a day? A: 24 hours of 60 minutes each, so 1,440.',
  'def area(radius):\n    return 3.14159 * radius ** 2',
  'Dear Ines, the parcel arrived whole. The blue cup stands by the window now. Thank you.',
  'Water boils at a lower temperature on a mountain, because the air above presses less upon it.',
  'User: rename the file, please.\nAssistant: Done. report.txt is now summary.txt.',
  'Three rivers meet here, yet the map names only one.',
  'SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY 2 DESC;',
  'A window holds a fixed number of tokens. Short documents leave most of it empty; packing puts several side by side, and a mask keeps them from reading one another.',
  'Bonjour ! Le musée ouvre à dix heures.',
  'To prune a rose, cut just above a bud that faces outward. The new shoot will grow away from the middle, and the light will reach every branch.',
  'No.',
];
