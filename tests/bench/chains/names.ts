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
/** Each word so often, with a number behind it from the second time on. */
const ROUNDS = 5;

export const NAMES: readonly string[] = Array.from({ length: ROUNDS }, (_, round) =>
	WORDS.map((word) => (round === 0 ? word : `${word}${round + 1}`))
).flat();

/** Nothing listens where these should be. */
export const REFUSING = NAMES.slice(20, 25);
/** These take a connection and never answer. */
export const SILENT = NAMES.slice(25, 30);
const OFFLINE: readonly string[] = [...REFUSING, ...SILENT];
export const ONLINE: readonly string[] = NAMES.filter((name) => !OFFLINE.includes(name));
