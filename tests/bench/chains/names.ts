/** The fifty chains of the measurement. */
const WORDS = [
	'AMBER',
	'BIRCH',
	'COPPER',
	'DELTA',
	'EMBER',
	'FJORD',
	'GRAIN',
	'HARBOR',
	'IVORY',
	'JASPER'
];
/** Number of uses of each word; from the second on with a number appended. */
const ROUNDS = 5;

export const NAMES: readonly string[] = Array.from({ length: ROUNDS }, (_, round) =>
	WORDS.map((word) => (round === 0 ? word : `${word}${round + 1}`))
).flat();

/** Chains at whose ports nothing listens. */
export const REFUSING = NAMES.slice(20, 25);
/** Chains whose daemons accept connections and never respond. */
export const SILENT = NAMES.slice(25, 30);
const OFFLINE: readonly string[] = [...REFUSING, ...SILENT];
export const ONLINE: readonly string[] = NAMES.filter((name) => !OFFLINE.includes(name));
