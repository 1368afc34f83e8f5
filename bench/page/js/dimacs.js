// A puzzle as a DIMACS file: the encoding complete+pairwise with its clues as unit clauses.

/** The text of the file; variable `cell * size + digit` says that a cell (from 0) holds a digit (from 1). */
export function dimacs(shape, digits) {
  const { size, units } = shape;
  const variable = (cell, digit) => cell * size + digit;
  const values = Array.from({ length: size }, (_, i) => i + 1);
  const groups = [
    ...digits.map((_, cell) => values.map((digit) => variable(cell, digit))),
    ...units.flatMap((unit) => values.map((digit) => unit.map((cell) => variable(cell, digit)))),
  ];
  const clauses = groups.flatMap(exactlyOne);
  for (const [cell, digit] of digits.entries()) if (digit) clauses.push([variable(cell, digit)]);
  const head = `p cnf ${size ** 3} ${clauses.length}`;
  return [head, ...clauses.map((clause) => `${clause.join(" ")} 0`)].join("\n") + "\n";
}

function exactlyOne(literals) {
  const clauses = [literals];
  literals.forEach((one, i) => literals.slice(i + 1).forEach((other) => clauses.push([-one, -other])));
  return clauses;
}
