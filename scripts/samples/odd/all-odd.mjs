/** Every kind of odd file, one file per kind. */

export function addOddFiles() {}
